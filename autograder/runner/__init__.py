"""What runs inside the sandbox: the zygote, and the runners that it forks."""
