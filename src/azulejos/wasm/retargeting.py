"""From compiled functions to a WebAssembly module: Numba's LLVM IR, optimized and linked for another target.

Numba must compile for a generic CPU (`NUMBA_CPU_NAME=generic`, no `NUMBA_CPU_FEATURES`), before it is imported: else
its IR holds what only this machine has. The linker comes with the package `ziglang`.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types

_numba: Any = numba
_types: Any = types

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES = "+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals,+simd128"  # in every browser since 2023
STACK = 1 << 16  # bytes
_PASSED = {types.int32: "i32", types.float64: "double"}
# A product of 128 bits, by which LLVM sees whether one of 64 overflows; elsewhere a compiler's library has it.
_MULTI3 = """
define void @__multi3(ptr %to, i64 %a, i64 %a2, i64 %b, i64 %b2) {
  %al = and i64 %a, 4294967295
  %ah = lshr i64 %a, 32
  %bl = and i64 %b, 4294967295
  %bh = lshr i64 %b, 32
  %ll = mul i64 %al, %bl
  %lh = mul i64 %al, %bh
  %hl = mul i64 %ah, %bl
  %hh = mul i64 %ah, %bh
  %ll2 = lshr i64 %ll, 32
  %middle = add i64 %hl, %ll2
  %middlel = and i64 %middle, 4294967295
  %middleh = lshr i64 %middle, 32
  %more = add i64 %lh, %middlel
  %moreh = lshr i64 %more, 32
  %sum = add i64 %hh, %middleh
  %high = add i64 %sum, %moreh
  %cross = mul i64 %a, %b2
  %cross2 = mul i64 %a2, %b
  %crosses = add i64 %cross, %cross2
  %all = add i64 %high, %crosses
  %low = mul i64 %a, %b
  store i64 %low, ptr %to
  %next = getelementptr i8, ptr %to, i32 8
  store i64 %all, ptr %next
  ret void
}
"""
_FINE = 0, -2  # the status of a compiled function that returned a value, or None


@dataclass(frozen=True)
class Parameter:
    """A parameter of an exported function: a number, or a pointer with a length for each dimension."""

    name: str
    type: Any  # of the number, or of the elements
    dimensions: int | None  # None for a number

    @property
    def passed(self) -> list[Any]:
        """The types of what is passed for it."""
        if self.dimensions is None:
            return [self.type]
        return [_types.CPointer(self.type), *[types.int32] * self.dimensions]


@dataclass(frozen=True)
class Export:
    """A compiled function under the name that the module exports it by."""

    name: str
    parameters: tuple[Parameter, ...]
    inner: str  # its name in the IR
    returns: bool  # a number; else nothing
    ir: str


def export(name: str, function: Any, samples: Mapping[str, Any]) -> Export:
    """Compile a function for export. `samples`: an argument for each parameter, of the type that it will have.

    Arrays become pointers with lengths, named tuples what they are made of, integers 32 bits; an integer that is
    returned becomes a float, which is what JavaScript counts in.
    """
    parameters = [_parameter(part, value) for part, value in flat(samples)]
    passed = [f"{part.name}{k or ''}" for part in parameters for k in range(len(part.passed))]
    names: dict[str, Any] = {"carray": _numba.carray, "function": function, "int64": np.int64}
    rest = iter(parameters)
    given = [_rebuilt(value, rest, names) for value in samples.values()]
    exec(f"def {name}({', '.join(passed)}):\n    return function({', '.join(given)})", names)
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(names[name])
    signature = tuple(kind for part in parameters for kind in part.passed)
    compiled.compile(signature)
    found = compiled.overloads[signature]
    returned = found.signature.return_type
    assert returned in (types.none, types.int64), f"{name} returns {returned}"
    return Export(
        name, tuple(parameters), found.fndesc.llvm_func_name, returned is not types.none, found.library.get_llvm_str()
    )


def flat(samples: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Arguments by name, with the fields of named tuples in their place; those of a tuple in a tuple begin with its
    name."""

    def fields(name: str, value: Any, prefix: str) -> Iterator[tuple[str, Any]]:
        if isinstance(value, tuple):
            for part in value._fields:  # type: ignore[attr-defined]
                yield from fields(prefix + part, getattr(value, part), f"{prefix}{part}_")
        else:
            yield name, value

    for name, value in samples.items():
        yield from fields(name, value, "")


def _parameter(name: str, value: Any) -> Parameter:
    if isinstance(value, np.ndarray):
        return Parameter(name, numba.from_dtype(value.dtype), value.ndim)
    return Parameter(name, types.float64 if isinstance(value, float) else types.int32, None)


def _rebuilt(value: Any, parameters: Iterator[Parameter], names: dict[str, Any]) -> str:
    """Source that makes an argument from what is passed for it: from as many of the parameters as it takes."""
    if isinstance(value, tuple):
        kind = f"{type(value).__module__.split('.')[-1]}_{type(value).__name__}"
        names[kind] = type(value)
        return f"{kind}({', '.join([_rebuilt(field, parameters, names) for field in value])})"
    part = next(parameters)
    if part.dimensions is not None:
        return f"carray({part.name}, ({''.join(f'{part.name}{k + 1}, ' for k in range(part.dimensions))}))"
    return f"int64({part.name})" if part.type is types.int32 else part.name


def link(exports: list[Export]) -> bytes:
    """A WebAssembly module of these functions and what they call, with nothing imported."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    whole = llvm.parse_assembly(_shims(exports))
    for each in exports:
        part = llvm.parse_assembly(_retargeted(each.ir))
        for function in part.functions:
            if not function.is_declaration and function.linkage is llvm.Linkage.external:
                function.linkage = "external" if function.name == each.inner else "internal"
        whole.link_in(part)
    for function in whole.functions:
        if not function.is_declaration and function.name not in {"__multi3", *(each.name for each in exports)}:
            function.linkage = "internal"
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=3, reloc="static")
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True  # sums are not reordered: the same to the last bit
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    assert not re.search(r"alloca [\[{%].*ptr", str(whole)), "a structure in memory would have another size here"
    with tempfile.TemporaryDirectory() as folder:
        compiled, linked = Path(folder, "module.o"), Path(folder, "module.wasm")
        compiled.write_bytes(machine.emit_object(whole))
        subprocess.run(
            [sys.executable, "-m", "ziglang", "wasm-ld", str(compiled), "-o", str(linked), "--no-entry", "--strip-all"]
            + ["--gc-sections", "--stack-first", "-z", f"stack-size={STACK}", "--export=__heap_base"]
            + [f"--export={each.name}" for each in exports],
            check=True,
        )
        return linked.read_bytes()


def _retargeted(ir: str) -> str:
    """IR without what is Numba's or this machine's own: reference counting, environments, the CPU."""
    replace = [
        (r'target datalayout = ".*"', f'target datalayout = "{LAYOUT}"'),
        (r'target triple = ".*"', f'target triple = "{TRIPLE}"'),
        (r'"(target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"', ""),
        (r"= common ", "= internal "),
        (r"(?s)(define [^\n]*@NRT_(?:inc|dec)ref\([^\n]*\{\n).*?\n\}", r"\1  ret void\n}"),
        (r"(?m)^declare double @sqrt\(.*$", "declare double @llvm.sqrt.f64(double)"),
        (r"@sqrt\(", "@llvm.sqrt.f64("),
    ]
    for pattern, by in replace:
        ir = re.sub(pattern, by, ir)
    return ir


def _shims(exports: list[Export]) -> str:
    """IR of the exported functions: each calls its inner one, which returns by a pointer and has a status."""
    lines = [f'target datalayout = "{LAYOUT}"', f'target triple = "{TRIPLE}"', "declare void @llvm.trap()", _MULTI3]
    for each in exports:
        kinds = [_PASSED.get(kind, "ptr") for part in each.parameters for kind in part.passed]
        given = ", ".join(f"{kind} %{k}" for k, kind in enumerate(kinds))
        inner = f'@"{each.inner}"'
        lines.append(f"declare i32 {inner}({', '.join(['ptr', 'ptr', *kinds])})")
        lines.append(f"define {'double' if each.returns else 'void'} @{each.name}({given}) {{")
        lines += ["begin:", "  %returned = alloca i64", "  %error = alloca ptr"]
        lines.append(f"  %status = call i32 {inner}({', '.join(['ptr %returned', 'ptr %error', given])})")
        lines.append("  switch i32 %status, label %wrong [")
        lines += [f"    i32 {status}, label %fine" for status in _FINE]
        lines += ["  ]", "wrong:", "  call void @llvm.trap()", "  unreachable", "fine:"]
        if each.returns:
            lines += ["  %value = load i64, ptr %returned", "  %number = sitofp i64 %value to double"]
        lines += ["  ret double %number" if each.returns else "  ret void", "}"]
    return "\n".join(lines)


def add_section(module: bytes, name: str, contents: bytes) -> bytes:
    """The same module with a custom section at its end."""
    body = bytes(_leb128(len(name))) + name.encode() + contents
    return module + b"\0" + bytes(_leb128(len(body))) + body


def _leb128(number: int) -> Iterator[int]:
    while number > 127:
        yield number & 127 | 128
        number >>= 7
    yield number
