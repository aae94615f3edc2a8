// A game's WebAssembly module: its rules and its search, called by name, over arrays in the module's memory.
// For workers and Node: a page's own thread may not compile so much at once.

const VIEWS = {
  i2: Int16Array,
  i8: BigInt64Array,
  u4: Uint32Array,
  u8: BigUint64Array,
  f4: Float32Array,
  f8: Float64Array,
};
const FIELDS = { i2: "getInt16", i4: "getInt32", i8: "getBigInt64", u8: "getBigUint64", f4: "getFloat32", f8: "getFloat64" };
const PAGE = 1 << 16;
const ALIGNED = 16;

// What a module says about itself: azulejos/wasm/building.py writes it.
export function describe(module) {
  const [section] = WebAssembly.Module.customSections(module, "azulejos");
  return JSON.parse(new TextDecoder().decode(section));
}

function variantOf({ game, variants }, options) {
  const found = variants.find((variant) => same(variant.options, options));
  if (!found) throw new Error(`${game} has no variant ${JSON.stringify(options)}`);
  return found;
}

// What engines of a variant are made of: the game's module, and the variant's network. `read`: the bytes of a file that
// lies beside the module.
export async function gather(module, options, read) {
  return { module, network: new Uint8Array(await read(variantOf(describe(module), options).network)) };
}

export class Engine {
  // `options`: of the variant, as texts by name. `functions`: those that will be called, whose arrays get memory.
  constructor({ module, network }, options, functions) {
    this.about = describe(module);
    this.variant = variantOf(this.about, options);
    /** @type {any} */
    this.exports = new WebAssembly.Instance(module).exports;
    const wanted = new Set(functions.flatMap((name) => Object.values(this.variant.arrays[name])));
    const [values] = WebAssembly.Module.customSections(module, "azulejos.values");
    this.arrays = this.allot(wanted, new Uint8Array(values), network);
    this.passed = Object.fromEntries(functions.map((name) => [name, this.arguments(name)]));
  }

  // Memory for arrays, one after the other behind the module's own; all of it at once, since views end when it grows.
  allot(wanted, values, network) {
    const { memory, __heap_base } = this.exports;
    let end = __heap_base.value;
    const starts = new Map();
    const places = [...wanted].sort((a, b) => a - b).map((number) => {
      const [type, shape, first, learnt, shared] = this.variant.memory[number];
      const size = (this.about.types[type]?.size ?? VIEWS[type].BYTES_PER_ELEMENT) * shape.reduce((a, b) => a * b, 1);
      const at = starts.get(shared) ?? Math.ceil(end / ALIGNED) * ALIGNED;
      starts.set(number, at);
      end = Math.max(end, at + size);
      return { number, type, shape, first, from: learnt ? network : values, at, size };
    });
    const missing = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
    if (missing > 0) memory.grow(missing);
    const arrays = {};
    for (const { number, type, shape, first, from, at, size } of places) {
      const bytes = new Uint8Array(memory.buffer, at, size);
      if (first !== null) bytes.set(from.subarray(first, first + size));
      arrays[number] = type in VIEWS ? new VIEWS[type](memory.buffer, at, size / VIEWS[type].BYTES_PER_ELEMENT) : bytes;
      Object.assign(arrays[number], { at, shape, type });
    }
    return arrays;
  }

  arguments(name) {
    return this.about.functions[name].map(([parameter, isNumber]) => {
      if (isNumber) return { parameter };
      const { at, shape } = this.array(name, parameter);
      return { given: [at, ...shape] };
    });
  }

  // The array that a function works on: a typed array, or bytes where the elements are records.
  array(name, parameter) {
    return this.arrays[this.variant.arrays[name][parameter]];
  }

  // A reader of one field of the records in an array.
  field(array, name) {
    const { size, fields } = this.about.types[array.type];
    const [offset, kind] = fields[name];
    const view = new DataView(array.buffer, array.at);
    return (k) => view[FIELDS[kind]](k * size + offset, true);
  }

  // Call a function: its arrays are there, its numbers are given by name.
  call(name, numbers = {}) {
    return this.exports[name](...this.passed[name].flatMap(({ parameter, given }) => given ?? [numbers[parameter]]));
  }
}

function same(options, others) {
  return Object.entries(options).every(([name, value]) => String(others[name]) === value);
}
