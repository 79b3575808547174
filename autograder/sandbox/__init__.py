"""How a zygote is put into a sandbox, what that protects, and whether it holds on this machine."""
