import { textOf, valueOf } from '../../wire/json/json.js';
import { compact } from '../../wire/json/json-reader.js';
import { fillSentence } from '../../wire/errors/sentence.js';
import { networkLimits } from './limits.js';
import { type Profile, profiles } from './profile.js';
import { isObject, type JsonObject } from '../schema/json.js';

/** The limits of a contract interface. */
const interfaceLimits = {
  maxInterfaceMethods: 1_000,
  maxInterfaceEvents: 1_000,
  maxInterfaceErrors: 1_000,
  /** Parameters of all methods, events and errors together, results included. */
  maxInterfaceParams: 4_000,
  /** Length of its definition, in bytes of UTF-8. */
  maxInterfaceBytes: 512 * 1024,
} as const;

/** The version of step counting, and the limit on steps for the values of one batch. */
const validationLimits = {
  validationBudget: 2,
  maxBatchValidationSteps: 2_000_000,
} as const;

/** Members are one level; with two, each may have organisations below it. */
const organizationLimits = { maxOrganizationLevels: 2 } as const;

/** Every holder of a private batch expects a pin of each member in each of its topics; a message has at most 2,560. */
const privateLimits = { maxBatchExpectedPins: 10_240 } as const;

/** Every limit of a newly created network, as it is recorded there. Networks of earlier versions lack some. */
export const recordedLimits = {
  ...networkLimits,
  ...interfaceLimits,
  ...validationLimits,
  ...organizationLimits,
  ...privateLimits,
} as const;

const profileName = 'profile';

type LimitName = keyof typeof recordedLimits;

/** Limits of a contract interface; undefined where the network has none. */
export type InterfaceLimits = { readonly [L in keyof typeof interfaceLimits]: number | undefined };

export interface ValidationRules {
  /** Version of step counting; 1 in networks of earlier versions. */
  readonly budget: 1 | 2;
  /** Maximum steps for one value. */
  readonly maxSteps: number;
  /** Maximum steps for all values of a batch; undefined if only each value has a limit. */
  readonly maxBatchSteps: number | undefined;
}

/** The rules by which all nodes of a network decide. */
export interface NetworkRules {
  /** Undefined: the rules of docs/protocol.md without a profile. */
  readonly profile: Profile | undefined;
  readonly interfaces: InterfaceLimits;
  readonly validation: ValidationRules;
  /** Whether a member may have organisations below it; in networks of earlier versions none has. */
  readonly hasChildOrganizations: boolean;
  /** Maximum topics of a private batch times members of its group; undefined where the network has no such limit. */
  readonly maxBatchExpectedPins: number | undefined;
  /** The limits that were recorded when the network was created. */
  readonly recorded: Readonly<Record<string, number>>;
  /** Names of limits that were not recorded because the network is older. */
  readonly absent: readonly string[];
}

/** The rules that the recorded limits stand for, or the reason why this program cannot apply them. */
export type RulesReading =
  | { readonly rules: NetworkRules; readonly problem?: undefined }
  | { readonly rules?: undefined; readonly problem: string };

/**
 * Reads the limits recorded with a network, by name. Where a later limit is absent, the earlier rule applies. All nodes
 * must decide alike, so values that differ from this program's, unknown limits, and networks without the first limits
 * are refused. It never throws.
 */
export function readNetworkRules(text: string): RulesReading {
  const recorded = parse(text);
  if (recorded === undefined) {
    return {
      problem: fillSentence('The network was created with limits that are not a JSON object: {text}', { text }),
    };
  }
  const { [profileName]: recordedProfile, ...limits } = recorded;
  const profile = profiles.find((each) => each === recordedProfile);
  if (recordedProfile !== undefined && profile === undefined) {
    const problem = 'The network was created with the profile {text}, which this program does not know.';
    return { problem: fillSentence(problem, { text: textOf(recordedProfile) }) };
  }
  for (const [name, value] of Object.entries(limits)) {
    const problem = objectionTo(name, value);
    if (problem !== undefined) return { problem };
  }
  for (const [name, own] of Object.entries(networkLimits)) {
    if (Object.hasOwn(recorded, name)) continue;
    return { problem: `The network was created without the limit ${name}; this program decides by ${own}.` };
  }
  return { rules: rulesWith((name) => Object.hasOwn(recorded, name), profile) };
}

/** The rules of a newly created network. */
export const currentRules: NetworkRules = rulesWith(() => true);

/** The rules of a network of the first version, which recorded only the first limits. */
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

function rulesWith(isRecorded: (name: LimitName) => boolean, profile?: Profile): NetworkRules {
  const names = Object.keys(recordedLimits).filter((name): name is LimitName => name in recordedLimits);
  const valueIf = (name: LimitName): number | undefined => (isRecorded(name) ? recordedLimits[name] : undefined);
  return {
    profile,
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
    hasChildOrganizations: isRecorded('maxOrganizationLevels'),
    maxBatchExpectedPins: valueIf('maxBatchExpectedPins'),
    recorded: Object.fromEntries(names.filter(isRecorded).map((name) => [name, recordedLimits[name]])),
    absent: names.filter((name) => !isRecorded(name)),
  };
}
