import { writeFile } from 'node:fs/promises';
import type { StackSettings } from '../../stack/definition/definition.js';
import { readFaults } from '../../stack/faults.js';
import { type ServiceRow, stackStatus } from '../../stack/status.js';
import { type Fault, faultText } from '../../wire/network/faults.js';
import type { CommandResult } from '../base.js';
import { CliError } from '../errors/exit.js';
import { writeProblem } from '../errors/file-problem.js';
import { openStack, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

export interface ExportFlags {
  readonly stack?: string | undefined;
  readonly output?: string | undefined;
}

/** `stack export mermaid`. @throws StackError; CliError USAGE if the file cannot be written */
export async function exportMermaid(flags: ExportFlags, context: CommandContext): Promise<CommandResult> {
  const stack = await openStack({ stack: flags.stack }, context);
  const [{ services, state }, faults] = await Promise.all([stackStatus(stack), readFaults(stack.layout)]);
  const mermaid = topologyOf({ settings: stack.settings, state, services, faults });
  const path = flags.output ?? '-';
  if (path === '-') return { json: { mermaid }, text: mermaid, primary: mermaid };
  await writeFile(path, `${mermaid}\n`).catch((cause: unknown) => {
    throw new CliError('USAGE', `${path} cannot be written: ${writeProblem(cause)}.`, { cause });
  });
  return { json: { mermaid, path }, text: safe(path), primary: safe(path) };
}

interface Topology {
  readonly settings: Pick<StackSettings, 'name' | 'parties' | 'tokens' | 'namespaces'>;
  readonly state: string;
  readonly services: readonly Pick<ServiceRow, 'name' | 'kind' | 'state' | 'url'>[];
  readonly faults: readonly Fault[];
}

/** The links of more parties are drawn through one hub instead of pairwise. */
const maxPairwiseParties = 6;

/** A Mermaid flowchart of a stack's services and links, with the faults of links. */
export function topologyOf({ settings, state, services, faults }: Topology): string {
  const { name, parties, tokens } = settings;
  const row = (service: string) => services.find((each) => each.name === service);
  const names = parties.map((party) => party.name);
  const boxOf = (id: string, lines: readonly string[], [open, close]: readonly [string, string]) =>
    `    ${idOf(id)}${open}"${lines.map(label).join('<br/>')}"${close}`;
  const addressOf = (service: string) => [row(service)?.url ?? '', row(service)?.state ?? 'stopped'].filter(isText);
  const connectors = tokens.connectors.length === 0 ? [] : [`tokens: ${tokens.connectors.join(', ')}`];
  return [
    'flowchart TB',
    `  subgraph ${idOf('stack')}["${label(`${name} · ${state}`)}"]`,
    boxOf('chain', ['chain', ...addressOf('chain'), ...connectors], ['[(', ')]']),
    boxOf('store', ['store', ...addressOf('store')], ['[(', ')]']),
    ...parties.map(({ name: party, organization }) => {
      const own = organization === party ? [] : [organization];
      return boxOf(party, [party, ...own, ...addressOf(party)], ['[', ']']);
    }),
    '  end',
    ...names.flatMap((party) => [`  ${idOf(party)} --> ${idOf('chain')}`, `  ${idOf(party)} --> ${idOf('store')}`]),
    ...peerLinks(names, faults),
    ...faults
      .filter(({ kind }) => kind === 'drop')
      .map(({ from }) => `  ${idOf(from.party)} -. "reads fail" .-> ${idOf('store')}`),
    ...faults.map((fault) => `  %% ${label(faultText(fault))}`),
  ].join('\n');
}

function peerLinks(names: readonly string[], faults: readonly Fault[]): string[] {
  if (names.length < 2) return [];
  const linkFaults = faults.flatMap(({ from, to, kind, delayMs = 0, oneWay }) => {
    if (to === undefined) return [];
    const text = kind === 'cut' ? 'cut' : `slower by ${delayMs} ms`;
    return [
      {
        pair: new Set([from.party, to.party]),
        line: `  ${idOf(from.party)} ${oneWay ? '-.' : '<-.'} "${text}" .-> ${idOf(to.party)}`,
      },
    ];
  });
  const faulty = linkFaults.map(({ line }) => line);
  if (names.length > maxPairwiseParties) {
    const hub = `  ${idOf('peers')}(("mutual TLS"))`;
    return [hub, ...names.map((name) => `  ${idOf(name)} <--> ${idOf('peers')}`), ...faulty];
  }
  const pairs = names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other] as const));
  const intact = pairs.filter(([one, other]) => !linkFaults.some(({ pair }) => pair.has(one) && pair.has(other)));
  return [...intact.map(([one, other]) => `  ${idOf(one)} <-- "mutual TLS" --> ${idOf(other)}`), ...faulty];
}

/** An id for Mermaid, where "end" is a keyword and a hyphen may begin an arrow. */
function idOf(name: string): string {
  return `n_${name.replaceAll('-', '_')}`;
}

/** Escapes a quoted text of Mermaid. */
function label(text: string): string {
  return safe(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function isText(text: string): boolean {
  return text !== '';
}
