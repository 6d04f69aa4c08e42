import type { stackFlags } from '../../flags.js';
import type { FlagsOf } from '../../flag-types.js';
import type { environmentFlags } from './flags.js';
import { readMemory } from '../../../supervisor/machine/memory.js';
import { silentHint, silentText } from '../../../stack/control/living.js';
import { isPaused } from '../../../stack/engines/chain.js';
import { lastLines } from '../../../stack/running/evidence.js';
import { lowKeys } from '../../../stack/engines/external-chain.js';
import { readFaults } from '../../../stack/faults.js';
import { placeFrom } from '../../../stack/layout.js';
import { listStacks, type StackRow } from '../../../stack/places/list.js';
import type { Stack } from '../../../stack/places/locate.js';
import { finalHint, type ServiceRow, stackStatus } from '../../../stack/status.js';
import { faultText } from '../../../wire/network/faults.js';
import { nearestHint } from '../../../wire/lists/query.js';
import { textOf } from '../../../wire/json/json.js';
import { miningMember, miningText, readMining } from '../../chain/mining.js';
import { chainReaderOf } from '../../chain/open-chain.js';
import { stackAccess } from '../../requests/credentials.js';
import { CliError } from '../../errors/exit.js';
import { failedStartNote } from '../../errors/failed-start.js';
import { faultMember } from '../../fault/faults.js';
import { result } from '../../terminal/output.js';
import { assignment } from './assignment.js';
import { readParties, type PartyState } from './party-state.js';
import { stateText, statusMembers } from './view.js';
import { type Column, printTable, type TableOptions } from '../../terminal/table.js';
import { openRunningStack, type CommandContext } from '../../requests/target.js';
import { age, plural, safe, sizeOf } from '../../terminal/text.js';

/** `stack list`. */
export async function listAll(table: TableOptions, { output, environment, program }: CommandContext): Promise<void> {
  const stacks = await listStacks(placeFrom(environment));
  if (output.isJson) await output.json(textOf(result({ stacks })));
  else if (output.isQuiet) await output.out.write(stacks.map(({ name }) => `${name}\n`).join(''));
  else if (stacks.length === 0) await output.note(`There is no stack yet. Create one: ${program} init`);
  else await printTable(output, stacks, stackColumns, table);
}

const stackColumns: readonly Column<StackRow>[] = [
  { name: 'name', text: ({ name }) => name },
  { name: 'state', text: ({ state }) => state },
  { name: 'parties', text: ({ parties }) => parties?.join(',') ?? '?' },
  { name: 'ports', text: ({ portBase }) => (portBase === null ? '-' : String(portBase)) },
  {
    name: 'created',
    text: ({ createdAt }, isTerminal) => (isTerminal ? `${age(createdAt, Date.now())} ago` : createdAt),
  },
  { name: 'template', spare: 1, text: ({ template }) => template },
  { name: 'dir', spare: 2, text: ({ dir }) => dir },
];

export type StatusOptions = FlagsOf<typeof stackFlags> &
  TableOptions & {
    readonly name?: string | undefined;
    readonly check: boolean;
  };

interface ShownRow extends ServiceRow {
  readonly party: PartyState | undefined;
  readonly memoryBytes: number | undefined;
}

/** `stack status`. @throws CliError NOT_RUNNING, UNHEALTHY with `--check` */
export async function showStatus(flags: StatusOptions, context: CommandContext): Promise<void> {
  const { output } = context;
  const stack = await openRunningStack(flags, context);
  const status = await stackStatus(stack);
  const nodes = status.services.filter(({ kind }) => kind === 'node');
  const { namespaces } = stack.settings;
  const [parties, faults, chain, low] = await Promise.all([
    stackAccess(stack).then((accesses) => readParties(nodes, { accesses, namespaces })),
    status.state === 'stopped' ? [] : readFaults(stack.layout),
    chainReaderOf(stack, status.services).then(readMining),
    status.state === 'stopped' ? [] : lowKeys(stack),
  ]);
  const rows = status.services.map((row) => ({
    ...row,
    party: parties.get(row.name),
    memoryBytes: row.pid === null ? undefined : readMemory(row.pid),
  }));
  if (output.isJson) {
    const failure = flags.check && !['running', 'stopped'].includes(status.state) ? evidenceOf(stack, rows) : undefined;
    const more = {
      parties: Object.fromEntries(parties),
      faults: faults.map(faultMember),
      ...(chain && { mining: miningMember(chain.mining) }),
      lowFunds: low,
    };
    const members = { ...statusMembers(status), ...more, ...(failure && { failure }) };
    await output.json(textOf(result(members)));
  } else if (output.isQuiet) await output.line(status.state);
  else {
    if (flags.hasHeaders) await output.line(`${output.out.paint('bold', status.name)} · ${status.state}`);
    await printTable(output, rows, serviceColumns(rows), flags);
    const failed = failedStartNote(status, context.program);
    if (failed !== undefined) await output.note(failed);
    if (status.state === 'silent') {
      await output.note(`${silentText(status.name)} The table shows its last report.`);
      await output.note(silentHint(status.name, context.program));
    }
    for (const row of rows.filter(isInTrouble)) await output.note(troubleText(row));
    for (const { name } of rows.filter(({ isJoined }) => !isJoined)) {
      await output.note(`${name} is in stack.yaml but has not joined yet: ${context.program} party add ${name}`);
    }
    for (const fault of faults) await output.note(`${faultText(fault)} (${context.program} fault clear ${fault.id})`);
    if (chain !== undefined && isPaused(chain.mining)) {
      await output.note(`mining is ${miningText(chain.mining, chain.waiting)} (${context.program} chain resume)`);
    }
    for (const { owner, address, batches } of low) {
      await output.note(
        `${owner} can pay for ${plural(batches, 'more batch', 'more batches')}: send ${address} some ether`,
      );
    }
    const rules = rulesText([...parties.values()]);
    if (rules !== undefined) await output.note(rules);
  }
  if (!flags.check || status.state === 'running') return;
  const code = status.state === 'stopped' ? 'NOT_RUNNING' : 'UNHEALTHY';
  const details = code === 'UNHEALTHY' ? evidenceOf(stack, rows) : {};
  const why = { ...whyNotRunning(status, context.program), details, isPrinted: output.isJson };
  throw new CliError(code, why.message, why);
}

interface CheckedStack {
  readonly name: string;
  readonly state: string;
  readonly services: readonly { readonly name: string; readonly state: string; readonly isExternal: boolean }[];
}

/** The error of `--check` for a stack that is not running completely. */
export function whyNotRunning(
  { name, state, services }: CheckedStack,
  program: string,
): { readonly message: string; readonly hint: string } {
  const start = `Start it: ${program} start ${name}`;
  if (state === 'silent') return { message: silentText(name), hint: silentHint(name, program) };
  const troubled = services.filter((row) => row.state === 'unhealthy' || (row.state !== 'healthy' && !row.isExternal));
  if (state === 'stopped' || troubled.length === 0) return { message: `The stack ${name} is ${state}.`, hint: start };
  const each = troubled.map((row) => `${row.name} is ${row.state}`).join(', ');
  const message = `The stack ${name} is ${state}: ${each}.`;
  const paused = troubled.find((row) => row.state === 'paused')?.name;
  const failed = troubled.find((row) => row.state !== 'stopped' && row.state !== 'paused');
  if (failed?.isExternal === true) return { message, hint: `See why: ${program} config validate --online -s ${name}` };
  if (failed !== undefined) return { message, hint: `See why: ${program} logs -s ${name} ${failed.name}` };
  const resume = `Resume it: ${program} party resume ${paused ?? ''} -s ${name}`;
  return { message, hint: paused === undefined ? start : resume };
}

/** Whether a service has reported why it is not healthy. */
function isInTrouble({ state, message }: ServiceRow): boolean {
  return message !== null && ['failed', 'unhealthy', 'starting'].includes(state);
}

function troubleText({ name, message, isFinal }: ServiceRow): string {
  return `${name}: ${safe(message ?? '')}${isFinal ? `\n  ${finalHint(message)}` : ''}`;
}

/** The note about a network without some limits of this version; undefined if it has them all. */
export function rulesText(parties: readonly Pick<PartyState, 'rules'>[]): string | undefined {
  const older = parties.flatMap(({ rules }) => rules ?? []).find((rules) => rules.guard !== 'limits');
  if (older === undefined) return undefined;
  const { absent, guard } = older;
  return (
    `The network was created by an earlier version and lacks ${plural(absent.length, 'limit')} ` +
    `(${safe(absent.join(', '))}); guard: ${safe(guard)}. New networks have them.`
  );
}

/** The last records of the first service with a problem. */
function evidenceOf({ layout }: Stack, rows: readonly ServiceRow[]): Readonly<Record<string, unknown>> {
  const row = rows.find(isInTrouble) ?? rows.find(({ state }) => state !== 'healthy');
  return row === undefined ? {} : { service: row.name, message: row.message, lines: lastLines(layout, row) };
}

function serviceColumns(rows: readonly ShownRow[]): readonly Column<ShownRow>[] {
  const head = Math.max(-1, ...rows.map(({ party }) => party?.chainHead ?? -1));
  const nowMs = Date.now();
  return [
    { name: 'service', text: ({ name }) => name },
    { name: 'state', text: stateText },
    { name: 'health', spare: 4, text: ({ health }) => health ?? '-' },
    { name: 'pid', spare: 2, text: ({ pid }) => (pid === null ? '-' : String(pid)) },
    { name: 'up', text: ({ pid, startedAt }) => (pid === null || startedAt === null ? '-' : age(startedAt, nowMs)) },
    { name: 'restarts', spare: 3, text: ({ restarts }) => String(restarts) },
    { name: 'memory', text: ({ memoryBytes }) => (memoryBytes === undefined ? '-' : sizeOf(memoryBytes)) },
    { name: 'url', text: ({ url }) => url ?? '-' },
    { name: 'note', text: (row) => (row.kind === 'chain' && head >= 0 ? `block ${head}` : partyNote(row.party)) },
  ];
}

/** Maximum number of topics that are named. */
const maxTopics = 2;

/** Names the topics of undecided messages: ` (topic orders)`. */
function topicsText(topics: readonly string[]): string {
  const [first, ...more] = topics.slice(0, maxTopics);
  if (first === undefined) return '';
  const rest = topics.length > maxTopics ? ', …' : '';
  return safe(more.length === 0 ? ` (topic ${first})` : ` (topics ${first}, ${more.join(', ')}${rest})`);
}

/** The note about a party in the table of services. */
export function partyNote(party: PartyState | undefined): string {
  if (party === undefined) return '';
  const { messages, pending, pendingTopics, blockedTopics, outbox, chainLag, waiting } = party;
  return [
    ...(messages === null ? [] : [plural(messages, 'message')]),
    ...(pending > 0 ? [`${pending} pending${topicsText(pendingTopics)}`] : []),
    ...(blockedTopics > 0 ? [`${plural(blockedTopics, 'topic')} blocked`] : []),
    ...(outbox > 0 ? [`${outbox} not delivered`] : []),
    ...(chainLag !== null && chainLag > 0 ? [`${plural(chainLag, 'block')} behind`] : []),
    ...(waiting.length > 0 ? [`waits for ${safe(waiting.join(', '))}`] : []),
  ].join(', ');
}

export type EnvironmentFlags = FlagsOf<typeof environmentFlags> & {
  readonly name?: string | undefined;
};

/** `stack env`. @throws CliError NOT_RUNNING if there are no addresses yet */
export async function showEnvironment(flags: EnvironmentFlags, context: CommandContext): Promise<void> {
  const { output, program } = context;
  const { env, name } = await stackStatus(await openRunningStack(flags, context));
  if (env['STACK_CHAIN_URL'] === undefined) {
    throw new CliError('NOT_RUNNING', `The stack ${name} has no addresses yet.`, {
      hint: `Start it: ${program} start ${name}`,
    });
  }
  const { format } = flags;
  if (output.isJson || format === 'json') await output.json(textOf(output.isJson ? result({ env }) : env));
  else
    await output.out.write(
      Object.entries(env)
        .map(([name, value]) => `${assignment(format, name, value)}\n`)
        .join(''),
    );
}

export type ServiceFlags = FlagsOf<typeof stackFlags> & {
  /** Undefined = the first party. */
  readonly service?: string | undefined;
};

/** Finds a service with its port and address. @throws CliError NOT_FOUND, NOT_RUNNING before the first start */
export async function findService(
  flags: ServiceFlags,
  context: CommandContext,
): Promise<ServiceRow & { readonly port: number; readonly url: string }> {
  const { services, name } = await stackStatus(await openRunningStack(flags, context));
  const { service } = flags;
  const row = services.find((candidate) =>
    service === undefined ? candidate.kind === 'node' : candidate.name === service,
  );
  const names = services.map((candidate) => candidate.name);
  if (row === undefined) {
    throw new CliError(
      'NOT_FOUND',
      `The stack ${name} has no service "${service ?? ''}"${nearestHint(service ?? '', names)}`,
      { details: { name: service } },
    );
  }
  const { port, url } = row;
  if (port !== null && url !== null) return { ...row, port, url };
  throw new CliError('NOT_RUNNING', `The stack ${name} has no ports yet.`, {
    hint: `Start it: ${context.program} start ${name}`,
  });
}

/** The port on which a party's node listens for peers. @throws CliError as `findService`, USAGE, NOT_FOUND */
export async function findPeerPort(flags: ServiceFlags, context: CommandContext): Promise<number> {
  const { name, kind, peerPort } = await findService(flags, context);
  if (kind !== 'node') throw new CliError('USAGE', `Only parties have a peer port, and ${name} is not a party.`);
  if (peerPort !== null) return peerPort;
  throw new CliError('NOT_FOUND', `The peer port of ${name} was chosen by the operating system.`, {
    hint: `To read it from the registry: ${context.program} api GET identities --party ${name}`,
  });
}
