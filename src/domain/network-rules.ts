import { textOf, valueOf } from '../wire/json.js';
import { compact } from '../wire/json-reader.js';
import { fillSentence } from '../wire/sentence.js';
import { networkLimits } from './limits.js';
import { isObject, type JsonObject } from './schema/json.js';

/** The most that a contract interface may have. */
const interfaceLimits = {
  maxInterfaceMethods: 1_000,
  maxInterfaceEvents: 1_000,
  maxInterfaceErrors: 1_000,
  /** Parameters of all methods, events and errors together, results included. */
  maxInterfaceParams: 4_000,
  /** Length of the text of its definition, in bytes of UTF-8. */
  maxInterfaceBytes: 512 * 1024,
} as const;

/** How the steps of a validation are counted, and how many the values of one batch may take together. */
const validationLimits = {
  validationBudget: 2,
  maxBatchValidationSteps: 2_000_000,
} as const;

/** Every limit of a network that is created now, as it is recorded there. Networks of earlier versions lack some. */
export const recordedLimits = { ...networkLimits, ...interfaceLimits, ...validationLimits } as const;

type LimitName = keyof typeof recordedLimits;

/** Limits of a contract interface; undefined where the network has none. */
export type InterfaceLimits = { readonly [L in keyof typeof interfaceLimits]: number | undefined };

export interface ValidationRules {
  /** How steps are counted; 1 in networks of earlier versions. */
  readonly budget: 1 | 2;
  /** Steps that one value may take. */
  readonly maxSteps: number;
  /** Steps that the values of a batch may take together; undefined where only each value has a limit. */
  readonly maxBatchSteps: number | undefined;
}

/** The rules by which all nodes of one network decide. */
export interface NetworkRules {
  readonly interfaces: InterfaceLimits;
  readonly validation: ValidationRules;
  /** The limits that were recorded when the network was created. */
  readonly recorded: Readonly<Record<string, number>>;
  /** Names of limits that were not recorded, because the network is from before them. */
  readonly absent: readonly string[];
}

/** What recorded limits mean here, or why this program cannot decide by them. */
export type RulesReading =
  | { readonly rules: NetworkRules; readonly problem?: undefined }
  | { readonly rules?: undefined; readonly problem: string };

/**
 * Reads the limits that were recorded with a network, each by its name. Where a limit of later versions is absent, the
 * rule from before it holds. All nodes must decide alike, so this program takes no other value than its own, no limit
 * that it does not know, and no network without the first limits. It never throws.
 */
export function readNetworkRules(text: string): RulesReading {
  const recorded = parse(text);
  if (recorded === undefined) {
    return { problem: fillSentence('The network was created with limits that are no JSON object: {text}', { text }) };
  }
  for (const [name, value] of Object.entries(recorded)) {
    const problem = objectionTo(name, value);
    if (problem !== undefined) return { problem };
  }
  for (const [name, own] of Object.entries(networkLimits)) {
    if (Object.hasOwn(recorded, name)) continue;
    return { problem: `The network was created without the limit ${name}; this program decides by ${own}.` };
  }
  return { rules: rulesWith((name) => Object.hasOwn(recorded, name)) };
}

/** The rules of a network that is created now. */
export const currentRules: NetworkRules = rulesWith(() => true);

/** The rules of a network of the first version, which recorded the first limits alone. */
export const firstRules: NetworkRules = rulesWith((name) => Object.hasOwn(networkLimits, name));

function parse(text: string): JsonObject | undefined {
  try {
    const value = valueOf(compact(text));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function objectionTo(name: string, value: unknown): string | undefined {
  const [, own] = Object.entries(recordedLimits).find(([each]) => each === name) ?? [];
  if (own === value) return undefined;
  const fields = { name, value: textOf(value) };
  return own === undefined
    ? fillSentence(
        'The network was created with {name} {value}, a limit that this program does not know: ' +
          'a newer version created it. Use that version, or a newer one.',
        fields,
      )
    : fillSentence('The network was created with {name} {value}; this program decides by {own}.', { ...fields, own });
}

function rulesWith(isRecorded: (name: LimitName) => boolean): NetworkRules {
  const names = Object.keys(recordedLimits).filter((name): name is LimitName => name in recordedLimits);
  const valueIf = (name: LimitName): number | undefined => (isRecorded(name) ? recordedLimits[name] : undefined);
  return {
    interfaces: {
      maxInterfaceMethods: valueIf('maxInterfaceMethods'),
      maxInterfaceEvents: valueIf('maxInterfaceEvents'),
      maxInterfaceErrors: valueIf('maxInterfaceErrors'),
      maxInterfaceParams: valueIf('maxInterfaceParams'),
      maxInterfaceBytes: valueIf('maxInterfaceBytes'),
    },
    validation: {
      budget: isRecorded('validationBudget') ? validationLimits.validationBudget : 1,
      maxSteps: networkLimits.maxValidationSteps,
      maxBatchSteps: valueIf('maxBatchValidationSteps'),
    },
    recorded: Object.fromEntries(names.filter(isRecorded).map((name) => [name, recordedLimits[name]])),
    absent: names.filter((name) => !isRecorded(name)),
  };
}
