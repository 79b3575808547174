"""Formulas as MathML, which browsers set without a script or a network: the part of TeX that courses write.

What is not known here is shown as it was typed. Nothing of a formula is markup: all text in it is escaped.
"""

import html
import re
from collections.abc import Callable

LONGEST, DEEPEST = 4_000, 40  # characters of a formula, groups within groups
TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|\d+(?:[.,]\d+)*|\s+|.", re.DOTALL)
LONE = re.compile(r"<(m\w+)[^>]*>(?:(?!<).)*</\1>|<mrow>(?:(?!</?mrow).)*</mrow>")
GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ",
    "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "infty": "∞", "partial": "∂", "nabla": "∇", "emptyset": "∅",
    "top": "⊤", "bot": "⊥", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "forall": "∀", "exists": "∃",
}  # fmt: skip
OPERATORS = {
    "cdot": "⋅", "times": "×", "odot": "⊙", "oplus": "⊕", "otimes": "⊗", "pm": "±", "mp": "∓", "div": "÷", "ast": "∗",
    "circ": "∘", "bullet": "∙", "cup": "∪", "cap": "∩", "setminus": "∖", "land": "∧", "lor": "∨", "wedge": "∧",
    "vee": "∨", "neg": "¬", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "ll": "≪", "gg": "≫",
    "approx": "≈", "sim": "∼", "simeq": "≃", "equiv": "≡", "propto": "∝", "in": "∈", "notin": "∉", "ni": "∋",
    "subset": "⊂", "subseteq": "⊆", "supset": "⊃", "succ": "≻", "prec": "≺", "mid": "∣", "parallel": "∥", "perp": "⟂",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←", "Rightarrow": "⇒", "Leftarrow": "⇐", "mapsto": "↦",
    "leftrightarrow": "↔", "Leftrightarrow": "⇔", "iff": "⇔", "implies": "⇒", "uparrow": "↑", "downarrow": "↓",
    "dots": "…", "ldots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "colon": ":", "{": "{", "}": "}", "|": "‖",
    "lVert": "‖", "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|", "vert": "|", "langle": "⟨", "rangle": "⟩",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lbrace": "{", "rbrace": "}", "int": "∫", "prime": "′",
    "%": "%", "#": "#", "_": "_", "$": "$", "&": "&",
}  # fmt: skip
LARGE = {"sum": "∑", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂", "coprod": "∐"}  # limits below and above
LIMITED = {"max", "min", "argmax", "argmin", "lim", "sup", "inf", "Pr"}  # what is below stands below, too
NAMES = {"log", "ln", "exp", "sin", "cos", "tan", "tanh", "sinh", "cosh", "arg", "det", "dim", "deg", "gcd", *LIMITED}
FUNCTION_SPACE = '<mspace width="0.17em"/>'
SPACES = {",": "0.17em", ":": "0.22em", ";": "0.28em", "!": "-0.17em", " ": "0.25em", "quad": "1em", "qquad": "2em"}
ACCENTS = {"bar": "¯", "overline": "¯", "hat": "^", "widehat": "^", "tilde": "~", "widetilde": "~"}
ACCENTS |= {"dot": "˙", "vec": "→"}
TEXTS = {"text", "textrm", "textit", "textbf", "texttt", "mbox", "mathrm", "operatorname", "mathit", "mathsf", "mathtt"}
ALPHABETS = {"mathbb": 0x1D538, "mathbf": 0x1D400, "boldsymbol": 0x1D400, "mathcal": 0x1D49C}  # where A stands
EARLIER = {0x1D538: dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))}  # letters that Unicode had before the alphabet
EARLIER |= {0x1D49C: dict(zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ", strict=True))}
SIZES = {"big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "left", "right", "middle"}
TABLES = {"aligned": ("", ""), "align": ("", ""), "align*": ("", ""), "array": ("", ""), "matrix": ("", "")}
TABLES |= {"pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "vmatrix": ("|", "|"), "cases": ("{", "")}
TAGS = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"}
TAGS |= {"munder", "mover", "munderover", "mtable", "mtr", "mtd"}
ATTRIBUTES = {"math": ["display"], "mi": ["mathvariant"], "mo": ["stretchy", "fence"], "mspace": ["width"]}
ATTRIBUTES |= {"mfrac": ["linethickness", "displaystyle"], "mtable": ["displaystyle"], "mover": ["accent"]}


class Unknown(Exception):
    """A formula has something in it that is not known here."""


def formula(tex: str, display: bool = False) -> str:
    """Return a formula as MathML, or as it was typed where that cannot be made of it.

    What begins or ends with a blank is none: it stands between two prices.
    """
    if tex != tex.strip() and not display:
        return html.escape(f"${tex}$")
    try:
        if len(tex) > LONGEST:
            raise Unknown("too long")
        inner = _Parser(tex, display).whole()
    except Unknown:
        mark = "$$" if display else "$"
        return f"<code>{html.escape(f'{mark}{tex}{mark}')}</code>"
    return f'<math display="{"block" if display else "inline"}">{inner}</math>'


class _Parser:
    """Reads a formula from left to right; each method returns the MathML of what it has read."""

    def __init__(self, tex: str, display: bool):
        self.tokens, self.at, self.display, self.depth = TOKEN.findall(tex), 0, display, 0

    def whole(self) -> str:
        """Return all of it."""
        made = self._lines()
        if self.at < len(self.tokens):
            raise Unknown(self.tokens[self.at])
        return made

    def _lines(self) -> str:
        """Return lines that \\\\ divides, as a table where there is more than one."""
        rows = self._cells()
        return _table(rows) if len(rows) > 1 or len(rows[0]) > 1 else rows[0][0]

    def _cells(self) -> list[list[str]]:
        """Return rows of cells, up to what ends them."""
        rows = [[""]]
        while (token := self._peek()) not in ("", "\\end"):
            if token == "\\\\":
                self.at += 1
                rows.append([""])
            elif token == "&":
                self.at += 1
                rows[-1].append("")
            elif token == "}":
                raise Unknown(token)
            else:
                rows[-1][-1] += self._row("\\\\", "&", "}", "\\end")
        return rows if rows[-1] != [""] or len(rows) == 1 else rows[:-1]

    def _row(self, *ends: str) -> str:
        """Return what stands beside one another up to one of the ends, which is left."""
        parts = []
        while (token := self._peek()) and token not in ends:
            parts.append(self._with_scripts())
        return "".join(parts)

    def _with_scripts(self) -> str:
        begun = self._peek()
        scripts: dict[str, str] = {}
        base = self._atom() if begun not in ("_", "^", "'") else "<mrow></mrow>"
        while (token := self._peek()) in ("_", "^", "'"):
            self.at += 1
            if token == "'":
                scripts["^"] = f"{scripts.get('^', '')}<mo>′</mo>"
            elif token in scripts and not scripts[token].startswith("<mo>′"):
                raise Unknown("two scripts")
            else:
                scripts[token] = scripts.get(token, "") + self._argument()
        space = begun[1:] in NAMES and self._peek() not in ("", "(", "[", "{", ")", "]", "}", "\\left", "^", ",")
        return _scripted(base, scripts, self._takes_limits(begun)) + FUNCTION_SPACE * space

    def _takes_limits(self, begun: str) -> bool:
        name = begun.removeprefix("\\")
        return name in ("underbrace", "overbrace") or (self.display and (name in LARGE or name in LIMITED))

    def _atom(self) -> str:
        token = self._next()
        if token == "{":
            return _row(self._group())
        if token[0] == "\\":
            return self._command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token[0].isalpha():
            return f"<mi>{html.escape(token)}</mi>"
        if token in "&}#%$":
            raise Unknown(token)
        stretchy = ' stretchy="false"' if token in "()[]|" else ""
        return f"<mo{stretchy}>{html.escape({'-': '−', '*': '∗'}.get(token, token))}</mo>"

    def _command(self, name: str) -> str:
        if name in GREEK:
            return f"<mi>{GREEK[name]}</mi>"
        if name in OPERATORS or name in LARGE:
            return f"<mo>{html.escape((OPERATORS | LARGE)[name])}</mo>"
        if name in NAMES:
            return _function(name)
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}"/>'
        if name in ACCENTS:
            return f'<mover accent="true">{self._argument()}<mo>{ACCENTS[name]}</mo></mover>'
        if name in ALPHABETS:
            return _row("".join(f"<mi>{_letter(c, ALPHABETS[name])}</mi>" for c in self._text()))
        if name in TEXTS:
            return _text(name, self._text())
        if name in SIZES:
            return self._fence()
        return self._structure(name)

    def _structure(self, name: str) -> str:
        made: Callable[[], str] | None = {
            "frac": self._fraction,
            "tfrac": self._fraction,
            "dfrac": self._fraction,
            "binom": self._binomial,
            "sqrt": self._root,
            "underbrace": lambda: f"<munder>{self._argument()}<mo>⏟</mo></munder>",
            "overbrace": lambda: f"<mover>{self._argument()}<mo>⏞</mo></mover>",
            "begin": self._environment,
        }.get(name)
        if made is None:
            raise Unknown(name)
        return made()

    def _fraction(self) -> str:
        return f"<mfrac>{self._argument()}{self._argument()}</mfrac>"

    def _binomial(self) -> str:
        inner = f'<mfrac linethickness="0">{self._argument()}{self._argument()}</mfrac>'
        return f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>"

    def _root(self) -> str:
        if self._peek() != "[":
            return f"<msqrt>{self._argument()}</msqrt>"
        self._next()
        degree = _row(self._row("]"))
        self._expect("]")
        return f"<mroot>{self._argument()}{degree}</mroot>"

    def _environment(self) -> str:
        name = self._text()
        if name not in TABLES:
            raise Unknown(name)
        if name == "array":
            self._text()  # how its columns are set
        self._deeper(1)
        made, (before, after) = _table(self._cells()), TABLES[name]
        self._deeper(-1)
        self._expect("\\end")
        if self._text() != name:
            raise Unknown(name)
        fences = [f'<mo fence="true">{html.escape(sign)}</mo>' if sign else "" for sign in (before, after)]
        return f"<mrow>{fences[0]}{made}{fences[1]}</mrow>"

    def _fence(self) -> str:
        """Return a bracket behind \\left, \\big and their kin; a full stop stands for none."""
        token = self._next()
        if token == ".":
            return "<mrow></mrow>"
        name = token[1:] if token[0] == "\\" else ""
        sign = OPERATORS.get(name, "") if name else token
        if not sign or sign not in "()[]{}|‖⟨⟩⌊⌋⌈⌉/<>":
            raise Unknown(token)
        return f"<mo>{html.escape(sign)}</mo>"

    def _group(self) -> str:
        """Return what stands up to the bracket that closes the one just read."""
        self._deeper(1)
        made = self._row("}")
        self._deeper(-1)
        self._expect("}")
        return made

    def _argument(self) -> str:
        """Return what a command takes: a group, or the next thing alone."""
        token = self._peek()
        if token[:1].isdigit():  # \frac23 is two thirds
            self.tokens[self.at : self.at + 1] = [token[0], token[1:]] if token[1:] else [token]
        self._deeper(1)
        made = self._atom()
        self._deeper(-1)
        return made

    def _text(self) -> str:
        """Return the letters of a group, as they are."""
        if self._peek() != "{":
            token = self._next()
            if not token.isalnum():
                raise Unknown(token)
            return token
        self._next()
        parts = []
        while (token := self._raw()) != "}":
            known = {"\\ ": " ", "\\_": "_", "\\%": "%", "\\&": "&", "\\#": "#", "\\,": " "}
            parts.append(known.get(token, token))
            if not token or (token[0] in "\\{$" and token not in known):
                raise Unknown(token)
        return "".join(parts)

    def _deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > DEEPEST:
            raise Unknown("too deep")

    def _peek(self) -> str:
        """Return the next token that is no blank, "" at the end."""
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        if not token:
            raise Unknown("the end")
        self.at += 1
        return token

    def _raw(self) -> str:
        if self.at >= len(self.tokens):
            raise Unknown("the end")
        self.at += 1
        return self.tokens[self.at - 1]

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise Unknown(token)


def _row(inner: str) -> str:
    """Return one element for what may be several."""
    return inner if LONE.fullmatch(inner) else f"<mrow>{inner}</mrow>"


def _scripted(base: str, scripts: dict[str, str], limits: bool) -> str:
    """Return a base with what stands below and above it, or beside it."""
    below, above = scripts.get("_"), scripts.get("^")
    names = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
    if below and above:
        return f"<{names[2]}>{base}{_row(below)}{_row(above)}</{names[2]}>"
    if below or above:
        name = names[0] if below else names[1]
        return f"<{name}>{base}{_row(below or above or '')}</{name}>"
    return base


def _function(name: str) -> str:
    """Return the name of a function; those of two words are one."""
    said = {"argmax": "arg max", "argmin": "arg min"}.get(name, name)
    return f"<mrow><mi>{said}</mi></mrow>" if len(said) > 1 else f"<mi>{said}</mi>"


def _text(name: str, text: str) -> str:
    """Return words within a formula: prose keeps its blanks, a name of several letters is upright by itself."""
    if name.startswith("text") or name == "mbox":
        return f"<mtext>{html.escape(text)}</mtext>"
    return f'<mi mathvariant="normal">{html.escape(text)}</mi>'


def _letter(letter: str, first: int) -> str:
    """Return a letter of another alphabet, itself where that has none."""
    if "A" <= letter <= "Z":
        return EARLIER.get(first, {}).get(letter) or chr(first + ord(letter) - ord("A"))
    if "a" <= letter <= "z" and first == ALPHABETS["mathbf"]:
        return chr(first + 26 + ord(letter) - ord("a"))
    return html.escape(letter)


def _table(rows: list[list[str]]) -> str:
    lines = []
    for row in rows:
        cells = "".join(map("<mtd>{}</mtd>".format, row))
        lines.append(f"<mtr>{cells}</mtr>")
    return f'<mtable displaystyle="true">{"".join(lines)}</mtable>'
