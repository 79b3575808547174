"""The public name of a definition: numpy.linalg.norm for what numpy/linalg/_linalg.py defines.

The rule: a definition goes by the shortest public path at which it can be imported. Such paths are that of
its own module, those of the packages around it that import it, and, for a definition in a private module, those
of all modules that list it in __all__, import it with a star, are packages, or define nothing themselves
(numpy.lib.stride_tricks). What has no public path is private.
"""

from extractor.extract import Definition, Source, is_private

Target = tuple[str, str]  # (module, top-level name in it)


class PublicNames:
    """The public names of one library's definitions."""

    def __init__(self, sources: dict[str, Source]):
        self.sources = sources
        self.defined = {(d.module, d.name) for s in sources.values() for d in s.definitions if d.name}
        self.exports = {module: self._exported(module, set()) for module in sources}
        self.paths = self._paths()
        self.heirs = self._heirs()

    def of(self, definition: Definition) -> str:
        """Return the public qualified name, "" for a private definition."""
        if not definition.name:
            return "" if is_private(definition.module) else definition.module
        top, dot, rest = definition.name.partition(".")
        source = self.sources[definition.module]
        top = source.instances.get(top, top)
        path = self.paths.get((definition.module, top), "") or self.heirs.get((definition.module, top), "")
        return "" if not path or is_private(rest) else path + dot + rest

    def _exported(self, module: str, seen: set[str]) -> dict[str, Target]:
        """Return {name: (module, name there)} of all that the module imports, its stars spelt out."""
        source = self.sources.get(module)
        if source is None or module in seen:
            return {}
        found = dict(source.imports)
        for star in source.stars:
            found |= {name: (star, name) for name in self._listed(star, seen | {module})}
        return found

    def _listed(self, module: str, seen: set[str]) -> list[str]:
        """Return the names that `from module import *` brings."""
        source = self.sources.get(module)
        if source is None or module in seen:
            return []
        if source.listed is not None:  # numpy._core.numeric adds the names of its own stars to __all__ by a call
            return [*source.listed, *(name for star in source.stars for name in self._listed(star, seen | {module}))]
        own = [d.name for d in source.definitions if d.name and "." not in d.name]
        names = [*own, *source.instances.values(), *self._exported(module, seen)]
        return [name for name in names if not name.startswith("_")]

    def _origin(self, target: Target) -> Target:
        """Follow imports to where the name is defined."""
        for _ in range(20):  # a circle of imports ends here
            following = self.exports.get(target[0], {}).get(target[1])
            if target in self.defined or following is None:
                break
            target = following
        return target

    def _paths(self) -> dict[Target, str]:
        """Return {(module, name): shortest public path} of top-level definitions."""
        best: dict[Target, tuple[int, int, str]] = {}

        def offer(target: Target, path: str, rank: int) -> None:
            if not is_private(path):
                best[target] = min(best.get(target, (9, 0, "")), (rank, path.count("."), path))

        for module, name in sorted(self.defined):
            offer((module, name), f"{module}.{name}", 1)
        for module, source in self.sources.items():
            for gen, name in source.instances.items():
                offer((module, gen), f"{module}.{name}", 1)
                offer((module, name), f"{module}.{name}", 1)
            for name, target in self.exports[module].items():
                origin = self._origin(target)
                if self._is_reexport(source, name, origin):
                    offer(origin, f"{module}.{name}", 0 if origin[0].startswith(f"{module}.") else 1)
        return {target: path for target, (_, _, path) in best.items()}

    @staticmethod
    def _is_reexport(source: Source, name: str, origin: Target) -> bool:
        """Whether an import offers the name to others, and is not just for the module's own use."""
        if origin[0].startswith(f"{source.module}."):
            return source.is_package
        listed = name in (source.listed or ()) or origin[0] in source.stars
        return is_private(origin[0]) and (listed or source.is_package or len(source.definitions) == 1)

    def _heirs(self) -> dict[Target, str]:
        """Return {private class: public path of the first class derived from it}, whose methods it documents."""
        found: dict[Target, str] = {}
        for module, source in sorted(self.sources.items()):
            for name, bases in sorted(source.bases.items()):
                path = self.paths.get((module, name), "")
                for base in bases if path else ():
                    origin = self._origin(self.exports[module].get(base, (module, base)))
                    if origin in self.defined and origin not in self.paths:
                        found[origin] = min(found.get(origin, path), path, key=lambda p: (p.count("."), p))
        return found
