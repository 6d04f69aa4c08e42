import type { BaseCommand } from '../base.js';
import { targetFlags } from '../flags.js';

/** The part of a command's class that steps use. */
export interface StepClass {
  new (argv: string[], config: BaseCommand['config']): BaseCommand;
  readonly args: Readonly<Record<string, { readonly required?: boolean; readonly description?: string }>>;
  readonly flags: Readonly<Record<string, StepFlag>>;
}

interface StepFlag {
  readonly type: 'boolean' | 'option';
  readonly multiple?: boolean;
  readonly allowNo?: boolean;
  readonly required?: boolean;
  readonly description?: string;
  readonly options?: readonly string[];
}

/** The commands of steps; each is loaded on first use. */
const loaders = {
  broadcast: async () => (await import('../commands/broadcast.js')).default,
  send: async () => (await import('../commands/send.js')).default,
  'datatype define': async () => (await import('../commands/datatype/define.js')).default,
  'pool create': async () => (await import('../commands/pool/create.js')).default,
  mint: async () => (await import('../commands/mint.js')).default,
  transfer: async () => (await import('../commands/transfer.js')).default,
  burn: async () => (await import('../commands/burn.js')).default,
  'fault cut': async () => (await import('../commands/fault/cut.js')).default,
  'fault delay': async () => (await import('../commands/fault/delay.js')).default,
  'fault drop': async () => (await import('../commands/fault/drop.js')).default,
  'fault clear': async () => (await import('../commands/fault/clear.js')).default,
  'party pause': async () => (await import('../commands/party/pause.js')).default,
  'party resume': async () => (await import('../commands/party/resume.js')).default,
  'chain pause': async () => (await import('../commands/chain/pause.js')).default,
  'chain resume': async () => (await import('../commands/chain/resume.js')).default,
} satisfies Readonly<Record<string, () => Promise<StepClass>>>;

export type StepName = keyof typeof loaders;

/** The commands of seeds. Each can be repeated without an effect. */
export const seedNames: readonly StepName[] = [
  'broadcast',
  'send',
  'datatype define',
  'pool create',
  'mint',
  'transfer',
  'burn',
];

/** The commands of triggers: those of seeds, and those that disturb a network. */
export const triggerNames: readonly StepName[] = [
  ...seedNames,
  'fault cut',
  'fault delay',
  'fault drop',
  'fault clear',
  'party pause',
  'party resume',
  'chain pause',
  'chain resume',
];

/** Loads the class of a command, with the id that oclif would set. */
export async function loadStep(name: StepName): Promise<StepClass> {
  return Object.assign(await loaders[name](), { id: name.replaceAll(' ', ':') });
}

/** Flags that are set by the seed, or that are useless in a file. */
const excludedFlags: ReadonlySet<string> = new Set([
  ...Object.keys(targetFlags),
  'idempotent',
  'dry-run',
  'curl',
  'lines',
  'progress',
  'rate',
  'keep-going',
]);

/** A member of a step: an argument or a flag of its command. */
export interface StepMember {
  readonly name: string;
  readonly kind: 'argument' | 'switch' | 'text' | 'list';
  readonly isRequired: boolean;
  readonly description: string;
  readonly options?: readonly string[] | undefined;
  /** Whether `false` is written as `--no-…`. */
  readonly isNegatable: boolean;
}

/** The members that a step of this command may have; arguments are named in lower case. */
export function stepMembers({ args, flags }: Pick<StepClass, 'args' | 'flags'>): readonly StepMember[] {
  const isPlain = { isNegatable: false };
  return [
    ...Object.entries(args).map(([name, { required = false, description = '' }]) => {
      return { name: name.toLowerCase(), kind: 'argument', isRequired: required, description, ...isPlain } as const;
    }),
    ...Object.entries(flags).flatMap(([name, flag]): StepMember[] => {
      if (excludedFlags.has(name)) return [];
      const { type, multiple, required = false, description = '', options, allowNo = false } = flag;
      const kind = type === 'boolean' ? 'switch' : multiple === true ? 'list' : 'text';
      return [{ name, kind, isRequired: required, description, options, isNegatable: allowNo }];
    }),
  ];
}
