"""The lines that people begin cells with, and what they must not cost.

Each stands above a right answer, in the middle of it, and in a cell of the student's own above it.
"""

from dataclasses import dataclass

PLACES = ("above", "middle", "own cell")
INSTALLED, TYPED, KILLS = "a package of the student's", "somebody types", "the kernel ends"


@dataclass(frozen=True)
class Line:
    """A line (or a few) as people write it.

    kind: rows of one kind have one cause; passes: whether a right answer below it passes in the student's JupyterLab;
    shadows: whether it gives Python's own names another meaning (NumPy's `sum`), so that an answer that uses them fails
    wherever it stands, in JupyterLab, too; elsewhere: why a kernel on this machine shows less than the student saw, ""
    where it shows the same. A cell magic stands in a cell's first line only.
    """

    text: str
    kind: str
    passes: bool = True
    shadows: bool = False
    elsewhere: str = ""

    @property
    def places(self) -> tuple[str, ...]:
        """Where it may stand."""
        return PLACES[::2] if self.text.startswith("%%") else PLACES


LINES = (
    Line("%matplotlib inline", "display"),
    Line("%matplotlib widget", "display", elsewhere=INSTALLED),
    Line("%matplotlib", "display"),
    Line("%pylab inline", "display", shadows=True),
    Line("get_ipython().run_line_magic('matplotlib', 'inline')", "display"),
    Line("%config InlineBackend.figure_format = 'retina'", "display"),
    Line("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()", "display"),
    Line("import matplotlib\nmatplotlib.use('TkAgg')", "display", elsewhere="a window can open"),
    Line("%matplotlib notebook", "display"),
    Line("get_ipython().magic('matplotlib inline')", "display", elsewhere="an older IPython"),
    Line("import matplotlib.pyplot as plt\nplt.style.use('ggplot')", "display"),
    Line("from tqdm.notebook import tqdm\nfor i in tqdm(range(2)):\n    pass", "display"),
    Line("display(1)", "display"),
    Line("from IPython.display import HTML, display\ndisplay(HTML('<b>x</b>'))", "display"),
    Line("%pip install emoji", "installer", elsewhere="a network"),
    Line("!pip install -q emoji", "installer", elsewhere="a network"),
    Line("!{__import__('sys').executable} -m pip install emoji", "installer"),
    Line("%conda install emoji", "installer", elsewhere="conda"),
    Line("!apt-get install -y graphviz", "installer"),
    Line("!wget https://example.org/x.txt", "network"),
    Line("!git clone https://example.org/x", "network"),
    Line("!ls", "shell line"),
    Line("files = !ls", "shell line"),
    Line("!echo hello > a.txt && cat a.txt", "shell line"),
    Line("!nvidia-smi", "shell line"),
    Line("import os\nos.system('ls')", "shell line"),
    Line("%load_ext autoreload\n%autoreload 2", "magic"),
    Line("%load_ext tensorboard\n%tensorboard --logdir runs", "magic", elsewhere=INSTALLED),
    Line("%env MODE=fast", "magic"),
    Line("%cd .", "magic"),
    Line("%cd /content", "magic"),
    Line("%timeit -n 1 -r 1 1 + 1", "magic"),
    Line("%time total = sum(range(10))", "magic"),
    Line("%who", "magic"),
    Line("%run other.py", "magic", elsewhere="a file of the student's"),
    Line("%wandb", "magic", elsewhere=INSTALLED),
    Line("%load_ext jupyter_black", "magic", elsewhere=INSTALLED),
    Line("%tensorflow_version 2.x", "magic", elsewhere="Colab"),
    Line("if True:\n    %tensorflow_version 2.x\n    number = 5\nassert number == 5", "magic", elsewhere="Colab"),
    Line("%config Completer.use_jedi = False", "magic"),
    Line("len?", "magic"),
    Line("%%time", "cell magic"),
    Line("%%capture", "cell magic"),
    Line("%%capture out", "cell magic"),
    Line("%%heat", "cell magic", elsewhere=INSTALLED),
    Line("%%timeit -n 1 -r 1", "cell magic", passes=False),
    Line("%%html", "cell magic", passes=False),
    Line("%%bash\nls", "cell magic", passes=False),
    Line("%%writefile other.py\nVALUE = 1", "cell magic", passes=False),
    Line("import asyncio\nawait asyncio.sleep(0)", "await"),
    Line("import pandas as pd", "package", elsewhere=INSTALLED),
    Line("import itertools, seaborn as sns\nsns.set_theme()", "package", elsewhere=INSTALLED),
    Line("from google.colab import drive\ndrive.mount('/content/drive')", "package", elsewhere=INSTALLED),
    Line("from my_own_helpers import shorten", "package", elsewhere="a file of the student's"),
    Line("try:\n    import cupy as xp\nexcept ImportError:\n    import numpy as xp", "package"),
    Line("import seaborn; seaborn.set()", "package", elsewhere=INSTALLED),
    Line("from datasets import load_dataset", "package", elsewhere=INSTALLED),
    Line("import datasets\ndatasets.disable_progress_bar()", "package", elsewhere=INSTALLED),
    Line("import nltk\nnltk.download('punkt')", "package", elsewhere=INSTALLED),
    Line("import nest_asyncio\nnest_asyncio.apply()", "package", elsewhere=INSTALLED),
    Line("import pandas as pd\npd.options.display.max_rows = 5", "package", elsewhere=INSTALLED),
    Line("from pandas import options\noptions['display'] = 5", "package", elsewhere=INSTALLED),
    Line("import pandas as pd\nprint(pd.__version__)", "package", elsewhere=INSTALLED),
    Line("import pandas as pd\ntable = pd.DataFrame()\nassert len(table) + 1 < 2", "package", elsewhere=INSTALLED),
    Line("if True:\n    import pandas as pd\n    n = 3\nassert n == 3", "package", elsewhere=INSTALLED),
    Line("with open('a.txt', 'w') as file:\n    import pandas, math\nmath.pi", "package", elsewhere=INSTALLED),
    Line("from polars import Config\nsettings = Config()\nwith settings:\n    pass", "package", elsewhere=INSTALLED),
    Line("from rich_of_mine import track\nfor i in track(range(2)):\n    pass", "package", elsewhere=INSTALLED),
    Line("from google.colab import files\nfor name in files.upload():\n    pass", "package", elsewhere="Colab"),
    Line(
        "import os\nfrom google.colab import userdata\nkey = userdata.get('KEY')\nos.environ['KEY'] = key",
        "package",
        elsewhere="Colab",
    ),
    Line(
        "from kaggle_secrets import UserSecretsClient\nkey = UserSecretsClient().get_secret('KEY')\nif key:\n    1 / 1",
        "package",
        elsewhere="Kaggle",
    ),
    Line("import numba\n@numba.njit\ndef g(x):\n    return x\nassert g(1) == 1", "package", elsewhere=INSTALLED),
    Line("from beartype import beartype\n@beartype\nclass A:\n    n = 1\nassert A().n", "package", elsewhere=INSTALLED),
    Line(
        "import pandas as pd\ndef g(x: pd.Series = None) -> pd.Series:\n    return 1\nassert g() == 1",
        "package",
        elsewhere=INSTALLED,
    ),
    Line("import jax\ndef g(x, y=jax.numpy.pi):\n    return x\nassert g(1) == 1", "package", elsewhere=INSTALLED),
    Line("import lightning as L\nclass A(L.LightningModule):\n    pass", "package", elsewhere=INSTALLED),
    Line("from lightning import Trainer\nclass A(Trainer):\n    pass", "package", elsewhere=INSTALLED),
    Line("import os, warnings\nos.environ['A'] = 'b'\nwarnings.filterwarnings('ignore')", "setting"),
    Line("import sys\nsys.path.append('/content/drive/MyDrive')", "setting"),
    Line("import torch\ntorch.manual_seed(0)\nif torch.cuda.is_available():\n    torch.zeros(1).cuda()", "setting"),
    Line("import numpy as np\nnp.set_printoptions(precision=3)\nnp.random.seed(0)", "setting"),
    Line("name = input('Your name? ')", "terminal", elsewhere=TYPED),
    Line("breakpoint()", "terminal", elsewhere=TYPED),
    Line("import pdb\npdb.set_trace()", "terminal", elsewhere=TYPED),
    Line("exit()", "terminal", elsewhere=KILLS),
    Line("import sys\nsys.exit()", "error", passes=False),
    Line("1 / 0", "error", passes=False),
    Line("import matplotlib.pyplot as plt\nplt.style.use('no such style')", "error", passes=False),
    Line("@no_such_decorator\ndef g():\n    pass", "error", passes=False),
    Line("import math\nmath.no_such_name", "error", passes=False),
)
KINDS = tuple(dict.fromkeys(line.kind for line in LINES))


def of_each_kind() -> tuple[Line, ...]:
    """Return the first line of each kind."""
    return tuple(next(line for line in LINES if line.kind == kind) for kind in KINDS)


def answered(answer: str, line: Line, place: str) -> tuple[str, str]:
    """Return (a cell of the student's own, the answer's cell), "" for no own cell.

    The answer's cell needs a name that is made below the line, so that it fails where the line stops its cell.
    """
    if place == "own cell":
        return f"{line.text}\nmade_below = 1", f"{answer}\n\n\nmade_below"
    if place == "middle":
        return "", f"made_above = 1\n{line.text}\n{answer}"
    return "", f"{line.text}\n{answer}"
