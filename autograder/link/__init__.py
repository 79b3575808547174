"""What two processes of the grader say to one another: messages over a socket, and values as plain data."""
