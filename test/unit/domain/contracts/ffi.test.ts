import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAbi } from '../../../../src/domain/contracts/abi.js';
import {
  completeParts,
  errorEntry,
  eventEntry,
  methodEntry,
  partsOfAbi,
  partsOfInterface,
} from '../../../../src/domain/contracts/ffi.js';
import type { FfiParameter } from '../../../../src/wire/contracts/contract.js';
import { textOf, valueOf } from '../../../../src/wire/json/json.js';
import { codeOf } from '../../../support/codes.js';

const whole = (name: string): FfiParameter => ({
  name,
  schema: textOf({ type: 'integer', details: { type: 'uint256' } }),
});

const abi = readAbi(
  textOf([
    { type: 'constructor', inputs: [] },
    { type: 'function', name: 'get', inputs: [], outputs: [{ name: '', type: 'uint256' }], stateMutability: 'view' },
    { type: 'function', name: 'set', inputs: [{ name: 'value', type: 'uint256' }], outputs: [] },
    { type: 'function', name: 'set', inputs: [{ name: '', type: 'string' }], outputs: [] },
    { type: 'event', name: 'Changed', inputs: [{ name: 'by', type: 'address', indexed: true }], anonymous: true },
    { type: 'error', name: 'TooLarge', inputs: [{ name: 'max', type: 'uint256' }] },
  ]),
);

describe('partsOfAbi', () => {
  it('gives each part its pathname, with a number for overloads', () => {
    expect(partsOfAbi(abi).methods.map(({ name, pathname }) => [name, pathname])).toEqual([
      ['get', 'get'],
      ['set', 'set'],
      ['set', 'set_1'],
    ]);
  });

  it("keeps a function's mutability and whether an event is anonymous", () => {
    const { methods, events } = partsOfAbi(abi);
    expect(valueOf(methods[0]?.details ?? textOf(null))).toEqual({ stateMutability: 'view' });
    expect(methods[1]).not.toHaveProperty('details');
    expect(valueOf(events[0]?.details ?? textOf(null))).toEqual({ anonymous: true });
  });

  it('gives events and errors the signatures that the chain uses', () => {
    const { events, errors } = partsOfAbi(abi);
    expect(events.map(({ signature }) => signature)).toEqual(['Changed(address)']);
    expect(errors.map(({ signature, pathname }) => [signature, pathname])).toEqual([['TooLarge(uint256)', 'TooLarge']]);
  });

  it('names an input without a name by its position, since arguments are given by name', () => {
    const [, , overload] = partsOfAbi(abi).methods;
    expect(overload?.params.map(({ name }) => name)).toEqual(['input']);
  });

  it('can be converted back to the ABI', () => {
    const { methods, events, errors } = partsOfAbi(abi);
    expect(methods.map((method) => methodEntry(method, 'method'))).toEqual([
      {
        type: 'function',
        name: 'get',
        inputs: [],
        outputs: [{ name: 'output', type: 'uint256' }],
        stateMutability: 'view',
      },
      { type: 'function', name: 'set', inputs: [{ name: 'value', type: 'uint256' }], outputs: [] },
      { type: 'function', name: 'set', inputs: [{ name: 'input', type: 'string' }], outputs: [] },
    ]);
    expect(events.map((event) => eventEntry(event, 'event'))).toEqual([abi[4]]);
    expect(errors.map((error) => errorEntry(error, 'error'))).toEqual([abi[5]]);
  });
});

describe('methodEntry', () => {
  it('names results without a name by their positions', () => {
    const method = { name: 'stats', params: [], returns: [whole(''), whole('max'), whole('')] };
    expect(methodEntry(method, 'method').outputs?.map(({ name }) => name)).toEqual(['output', 'max', 'output2']);
  });

  it('gives no name twice', () => {
    const method = { name: 'stats', params: [], returns: [whole(''), whole('output')] };
    expect(methodEntry(method, 'method').outputs?.map(({ name }) => name)).toEqual(['output_', 'output']);
  });

  it('refuses a name that Solidity does not allow', () => {
    expect(codeOf(() => methodEntry({ name: '', params: [], returns: [] }, 'method'))).toBe('FF10320');
    expect(codeOf(() => methodEntry({ name: 'a-b', params: [], returns: [] }, 'method'))).toBe('FF10320');
  });
});

describe('completeParts', () => {
  const set = { name: 'set', params: [whole('value')], returns: [] };
  const said = { ...set, pathname: 'mine', description: 'Sets it' };

  it('ignores given pathnames and signatures', () => {
    const changed = { name: 'Changed', signature: 'Other()', pathname: 'other', params: [] };
    const parts = completeParts({ methods: [said, set], events: [changed], errors: [] });
    expect(parts.methods.map(({ pathname }) => pathname)).toEqual(['set', 'set_1']);
    expect(parts.events).toMatchObject([{ pathname: 'Changed', signature: 'Changed()' }]);
  });

  it('skips numbers of names that are taken', () => {
    const parts = completeParts({ methods: [set, { ...set, name: 'set_1' }, set], events: [], errors: [] });
    expect(parts.methods.map(({ pathname }) => pathname)).toEqual(['set', 'set_1', 'set_2']);
  });

  it('numbers 100,000 equal names, with the same numbers as if it tried each', () => {
    const event = { name: 'Changed', params: [] };
    const { events } = completeParts({ methods: [], events: new Array(100_000).fill(event), errors: [] });
    expect(events.slice(-1)).toMatchObject([{ pathname: 'Changed_99999' }]);
    const name = fc.constantFrom('a', 'a_1', 'a_2', 'a_1_1', 'b');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 40 }), (names) => {
        const parts = completeParts({ methods: names.map((each) => ({ ...set, name: each })), events: [], errors: [] });
        expect(parts.methods.map(({ pathname }) => pathname)).toEqual(triedOneByOne(names));
      }),
    );
  });

  it('keeps descriptions, and is idempotent', () => {
    const parts = completeParts({ methods: [said], events: [], errors: [] });
    expect(parts.methods[0]?.description).toBe('Sets it');
    expect(completeParts(parts)).toEqual(parts);
  });

  it('refuses a part that cannot be called', () => {
    const broken = { ...set, params: [{ name: 'x', schema: textOf({ type: 'integer' }) }] };
    expect(codeOf(() => completeParts({ methods: [broken], events: [], errors: [] }))).toBe('FF10332');
  });

  it('treats absent parts as empty', () => {
    expect(partsOfInterface({ name: 'x', version: '1' })).toEqual({ methods: [], events: [], errors: [] });
  });
});

/** Returns each name with the lowest free number. */
function triedOneByOne(names: readonly string[]): string[] {
  const taken: string[] = [];
  for (const name of names) {
    let pathname = name;
    for (let number = 1; taken.includes(pathname); number++) pathname = `${name}_${number}`;
    taken.push(pathname);
  }
  return taken;
}
