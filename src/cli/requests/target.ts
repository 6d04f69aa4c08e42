import type { targetFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { Client } from '../../client/client.js';
import { placeFrom } from '../../stack/layout.js';
import {
  loadAppliedStack,
  loadStack,
  type LocatedStack,
  locateStack,
  type Selection,
  selectStack,
  type Stack,
} from '../../stack/places/locate.js';
import { stackStatus } from '../../stack/status.js';
import {
  type Connections,
  connectionsTo,
  type NodeAccess,
  readAuthFile,
  readCaFile,
  stackAccess,
} from './credentials.js';
import { durationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { notRunning } from '../errors/failed-start.js';
import { describeDown } from '../errors/node-down.js';
import { chooseParty } from '../party/choose-party.js';
import { everyParty } from '../party/every-party.js';
import { holdForNode } from '../party/held-credential.js';
import { hostOf } from '../party/node-address.js';
import { openNode } from '../party/open-node.js';
import { safe } from '../terminal/text.js';
import type { Environment, Output } from '../terminal/output.js';

export type TargetFlags = FlagsOf<typeof targetFlags> & {
  /** The limit of a command that waits. */
  readonly timeout?: string | undefined;
};

export interface CommandContext {
  readonly output: Output;
  readonly environment: Environment;
  /** The typed name of the program. */
  readonly program: string;
}

export interface PartyNode extends NodeAccess {
  readonly name: string;
  readonly url: string;
  readonly client: Client;
  /** Undefined for a node that was given by URL. */
  readonly organization: string | undefined;
  /** The node's name in the network; undefined as above. */
  readonly node: string | undefined;
}

/** The stack, namespace and node that a command uses. */
export interface Target extends Connections {
  /** Undefined for a node that was given by URL. */
  readonly stack: string | undefined;
  readonly namespace: string;
  /** Every party of the stack, in order; with `--url` only the one node. */
  readonly parties: readonly PartyNode[];
  /** The selected one. */
  readonly party: PartyNode;
}

/** Outputs that have the note about the selected stack. A command may select it more than once. */
const noted = new WeakSet<Output>();

/**
 * Selects the stack by `-s`, the argument of a lifecycle command, `$STACK_NAME`, the nearest `stack.yaml` upwards; then
 * the only stack, then the last one started (docs/operations.md §11.1).
 *
 * @throws CliError USAGE if flag and argument differ, or if only `$STACK_URL` selects anything; StackError NOT_SELECTED
 */
export async function chooseStack(
  flags: { readonly stack?: string | undefined; readonly name?: string | undefined },
  context: CommandContext,
): Promise<string> {
  const { name, from } = await chosenStack(flags, context);
  if (from === 'last started' && !context.output.isJson && !noted.has(context.output)) {
    noted.add(context.output);
    await context.output.note(`Using ${name}, the stack that was started last.`);
  }
  return name;
}

/**
 * `chooseStack` for a command that deletes something, such as `reset`. The stack that was started last is chosen only
 * if a question will show its name, so with `--yes` it must be named.
 *
 * @throws CliError USAGE; StackError NOT_SELECTED
 */
export async function chooseStackToChange(
  flags: { readonly stack?: string | undefined; readonly name?: string | undefined; readonly yes: boolean },
  context: CommandContext,
  command: string,
): Promise<string> {
  const { name, from } = await chosenStack(flags, context);
  if (from !== 'last started' || !flags.yes) return chooseStack(flags, context);
  throw new CliError('USAGE', 'Several stacks exist; name one.', {
    hint: `For example: ${context.program} ${command} -s ${name} --yes`,
  });
}

/** Whether commands that name no stack use this one. */
export async function isSelected(stack: string, context: CommandContext): Promise<boolean> {
  const chosen = await chosenStack({}, context).catch(() => undefined);
  return chosen?.name === stack;
}

async function chosenStack(
  flags: { readonly stack?: string | undefined; readonly name?: string | undefined },
  { environment, program }: CommandContext,
): Promise<Selection> {
  if (flags.stack !== undefined && flags.name !== undefined && flags.stack !== flags.name) {
    throw new CliError('USAGE', `Two stacks are named: ${flags.stack} and ${flags.name}.`);
  }
  requireNamed([flags.stack, flags.name], program);
  const given = flags.stack ?? flags.name ?? (environment['STACK_NAME'] || undefined);
  if (given === undefined && (environment['STACK_URL'] ?? '') !== '') {
    throw new CliError('USAGE', 'STACK_URL selects a node, but this command is for a whole stack.', {
      hint: `Name a stack (${program} list shows them), or unset STACK_URL.`,
    });
  }
  return selectStack(placeFrom(environment), { given, workingDirectory: () => process.cwd() });
}

/** Checks that no name of a stack is empty, such as that of an unset variable. @throws CliError USAGE */
export function requireNamed(names: readonly (string | undefined)[], program: string): void {
  if (!names.includes('')) return;
  throw new CliError('USAGE', 'The name of the stack is empty.', {
    hint: `Check that all variables in the command are set. To list stacks: ${program} list`,
  });
}

/** Finds the stack that flags and environment select, without reading its definition. @throws StackError */
export async function findStack(
  { stack }: { readonly stack?: string | undefined },
  context: CommandContext,
): Promise<LocatedStack> {
  return locateStack(placeFrom(context.environment), await chooseStack({ stack }, context));
}

/** `chooseStack`, with its settings. @throws StackError as `loadStack` */
export async function openStack(
  flags: { readonly stack?: string | undefined; readonly name?: string | undefined },
  context: CommandContext,
): Promise<Stack> {
  return loadStack(placeFrom(context.environment), await chooseStack(flags, context));
}

/**
 * `openStack` for commands that inspect a stack or use its running nodes. If the definition has become invalid since
 * the start, the settings of the start are used, and a note says so.
 *
 * @throws StackError as `loadAppliedStack`
 */
export async function openRunningStack(
  flags: { readonly stack?: string | undefined; readonly name?: string | undefined },
  context: CommandContext,
): Promise<Stack> {
  const name = await chooseStack(flags, context);
  const { stack, problem } = await loadAppliedStack(placeFrom(context.environment), name);
  if (problem !== undefined) {
    await context.output.note(
      `${safe(problem.message)}\n  The settings of the last start are used until it is corrected.`,
    );
  }
  return stack;
}

/**
 * Determines stack, party, namespace, addresses and credentials from flags and environment (docs/operations.md §11.1).
 * Connects to no node.
 *
 * @throws CliError NOT_FOUND for an unknown party, NOT_RUNNING for a stack that has no addresses yet or a node with
 * authentication that is not running, USAGE for an invalid URL or credential; StackError
 */
export async function openTarget(
  flags: TargetFlags,
  context: CommandContext,
  options: StackTargetOptions = {},
): Promise<Target> {
  const { environment } = context;
  const namespace = flags.ns ?? (environment['STACK_NS'] || 'default');
  if (namespace === '') throw new CliError('USAGE', 'The namespace of --ns is empty.');
  const url = urlOf(flags, environment);
  if (url === undefined) {
    if (flags.ca === undefined) return openStackTarget(flags, namespace, context, options);
    throw new CliError('USAGE', '--ca is only for --url: the certificates of a stack are known.');
  }
  const name = flags.party ?? hostOf(url);
  const file = flags['auth-file'] ?? (environment['STACK_AUTH_FILE'] || undefined);
  const credential = file === undefined ? undefined : await readAuthFile(file);
  const ca = flags.ca ?? (environment['STACK_CA_FILE'] || undefined);
  const access = { credential, ...(ca !== undefined && (await readCaFile(ca))) };
  const place = { name, url: url.replace(/\/+$/, ''), namespace, access };
  const node = openNode(place, context);
  return { stack: undefined, namespace, parties: [node], party: node, ...connectionsTo([node]) };
}

/** The address that selects a node without a stack. */
export function urlOf(
  flags: { readonly url?: string | undefined; readonly stack?: string | undefined },
  environment: Environment,
): string | undefined {
  // A stack named on the command line takes precedence over a URL in the environment.
  return flags.url ?? (flags.stack === undefined ? environment['STACK_URL'] || undefined : undefined);
}

interface StackTargetOptions {
  /** Whether the command prints a row for each party, and therefore waits only briefly for a paused one. */
  readonly hasRows?: boolean;
}

/** The longest wait for a paused node, without `--timeout` and for a row. */
const defaultPause = '30s';
const rowPause = '2s';

async function openStackTarget(
  flags: TargetFlags,
  namespace: string,
  context: CommandContext,
  { hasRows = false }: StackTargetOptions,
): Promise<Target> {
  const { environment, program } = context;
  const maxPauseMs = durationMs(hasRows ? rowPause : (flags.timeout ?? defaultPause), '--timeout');
  // Not all flags are passed, since some commands have another --name.
  const stack = await openRunningStack({ stack: flags.stack }, context);
  const [status, accesses] = await Promise.all([stackStatus(stack), stackAccess(stack)]);
  const { services, state } = status;
  const nodes = services.filter(({ kind }) => kind === 'node');
  const wanted = chooseParty(nodes, flags.party ?? (environment['STACK_PARTY'] || undefined), stack.name);
  // The given credential is only for the selected node.
  const given = flags['auth-file'] === undefined ? undefined : await readAuthFile(flags['auth-file']);
  // A party that was only added to stack.yaml does not prevent access to the others.
  const members = nodes.filter(({ isJoined }) => isJoined);
  if (state !== 'stopped' && !members.some(({ name }) => name === wanted)) {
    const text = `${wanted} is in stack.yaml but has not joined the network of ${stack.name} yet.`;
    throw new CliError('NOT_RUNNING', text, { hint: `To let it join: ${program} party add ${wanted}` });
  }
  const parties = members.flatMap((row) => {
    const { name, url } = row;
    if (url === null) return [];
    const settings = stack.settings.parties.find((each) => each.name === name);
    const member = { stack: stack.name, party: name, layout: stack.layout, maxPauseMs, isNoted: !hasRows, settings };
    const known = accesses.get(name) ?? {};
    const own = (name === wanted ? given : undefined) ?? known.credential;
    const held = holdForNode(stack, row, own);
    const access = { ...known, credential: held === undefined ? own : undefined, held };
    return [openNode({ name, url, namespace, access, member }, context)];
  });
  const party = parties.find(({ name }) => name === wanted);
  // A stopped stack has ports, too, but no node listens there.
  if (state === 'stopped') throw notRunning(status, program);
  if (party === undefined || party.held !== undefined || parties.length < members.length) {
    const row = nodes.find(({ name }) => name === wanted);
    const down = row && describeDown({ stack: stack.name, party: wanted }, row, program, Date.now());
    const { text, hint } = down ?? {
      text: `${stack.name} is starting`,
      hint: `Wait for it: ${program} wait ${stack.name}`,
    };
    throw new CliError('NOT_RUNNING', `${text}.`, { hint });
  }
  return { stack: stack.name, namespace, parties, party, ...connectionsTo(parties) };
}

/** The flags that select the same node in another command: ` -p bob`, or nothing for the first party. */
export function partyFlag({ party, parties }: Target): string {
  return party === parties[0] ? '' : ` -p ${party.name}`;
}

/** `openTarget`; with `--party all` for the first party. @throws as `openTarget` */
export async function openParties(
  flags: TargetFlags,
  context: CommandContext,
): Promise<{ readonly target: Target; readonly parties: readonly PartyNode[] }> {
  if (flags.party !== everyParty) {
    const target = await openTarget(flags, context);
    return { target, parties: [target.party] };
  }
  const { output, program } = context;
  const environment = { ...context.environment, STACK_PARTY: undefined };
  const target = await openTarget({ ...flags, party: undefined }, { output, program, environment }, { hasRows: true });
  return { target, parties: target.parties };
}
