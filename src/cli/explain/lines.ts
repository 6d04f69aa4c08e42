import { safe, shortAuthor } from '../terminal/text.js';
import { type Behind, type Cause, isBlocking } from './cause.js';
import type { PartyView } from './view.js';

/** A line for each party: its state and the time of its decision. */
export function partyLines(parties: readonly PartyView[]): readonly string[] {
  const names = Math.max(0, ...parties.map(({ party }) => party.length));
  const states = Math.max(0, ...parties.map(({ state }) => state.length));
  return parties.map(({ party, state, decided = '' }) =>
    `  ${party.padEnd(names)}  ${state.padEnd(states)}  ${decided}`.trimEnd(),
  );
}

/** A sentence for each cause, with the parties that it delays, and a remedy. */
export function causeLines(parties: readonly PartyView[], program: string): readonly string[] {
  const found = new Map<string, { readonly cause: Cause; readonly names: string[] }>();
  for (const { party, cause } of parties) {
    if (cause === undefined) continue;
    const key = JSON.stringify(cause);
    const known = found.get(key);
    if (known === undefined) found.set(key, { cause, names: [party] });
    else known.names.push(party);
  }
  return [...found.values()].flatMap(({ cause, names }) => linesOf(cause, names, program));
}

function linesOf(cause: Cause, names: readonly string[], program: string): readonly string[] {
  const verb = names.length === 1 ? 'waits' : 'wait';
  const behind = cause.behind.map((each) => `${verb} for ${behindText(each)}, which comes first; `).join('it ');
  const head = isBlocking(cause) ? 'blocked' : 'on its way';
  // The text of a cause may name the party at which it was found.
  const isPlaced = behind === '' && cause.text.startsWith('at ');
  const who = isPlaced ? '' : behind === '' ? `at ${names.join(', ')}: ` : `${names.join(', ')} `;
  const remedy = cause.remedy === undefined ? [] : [`  ${remedyText(cause, program)}`];
  return [`${head}: ${who}${behind}${safe(cause.text)}`, ...remedy];
}

function behindText({ kind, id, author, topic }: Behind): string {
  const where = topic === undefined ? '' : `, topic ${safe(topic)}`;
  return `${kind} ${id} (${safe(shortAuthor(author))}${where})`;
}

function remedyText({ remedy = '' }: Cause, program: string): string {
  return isSentence(remedy) ? remedy : `Try: ${program} ${remedy}`;
}

/** A cause with its remedy, on one line. */
export function lineOf({ text, remedy = '' }: Pick<Cause, 'text' | 'remedy'>, program: string): string {
  return isSentence(remedy) ? `${text}. ${remedy}` : `${text} (${program} ${remedy})`;
}

function isSentence(remedy: string): boolean {
  return /[.!]$/.test(remedy);
}
