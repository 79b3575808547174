"""What chapter 12 needs beside the student's code: documents, a packed GPT, runs that are compared, and its figures."""
