import type { Output } from '../../terminal/output.js';
import { type Sent, sentJson, slowestMs } from './send.js';
import type { Target } from '../../requests/target.js';
import { safe, shortId, spanOf } from '../../terminal/text.js';

/** A sent message, with the recipients of a private one. */
export interface SentTo {
  readonly sent: Sent;
  readonly recipients: readonly string[];
}

/** Prints the record with `--json`, otherwise one line, on a terminal also one per party if all were waited for. */
export async function printSent({ sent, recipients }: SentTo, target: Target, output: Output): Promise<void> {
  if (output.isJson) await output.json(sentJson(sent));
  else if (output.isQuiet) await output.line(sent.id);
  else if (!output.out.isTerminal) await output.line(plainLine(sent, recipients, target));
  else await output.out.write(terminalLines(sent, recipients, target, output));
}

function terminalLines(sent: Sent, recipients: readonly string[], target: Target, output: Output): string {
  const { paint } = output.out;
  const { header } = sent.message;
  const twice = sent.isDuplicate ? ' · sent before' : '';
  const place = header.group === undefined ? topicsText(sent) : `group ${header.group.slice(0, 4)}…`;
  const to = recipients.length === 0 ? '' : ` → ${safe(recipients.join(', '))}`;
  const what = `${safe(header.type)} ${paint('bold', shortId(sent.id))}${to}`;
  const head = `${paint('green', '✓')} ${what} · ${place}${twice} · `;
  if (sent.parties.length < 2) return `${head}${outcomeText(sent, target)} in ${spanOf(endMs(sent))}\n`;
  const width = Math.max(...sent.parties.map(({ name }) => name.length));
  const parties = sent.parties.map(({ name, confirmedMs }) => `    ${name.padEnd(width)}  ${spanOf(confirmedMs)}\n`);
  return `${head}${outcomeText(sent, target)}\n${parties.join('')}`;
}

function plainLine(sent: Sent, recipients: readonly string[], target: Target): string {
  const { header } = sent.message;
  const times = sent.parties.map(({ name, confirmedMs }) => `${name} ${confirmedMs} ms`);
  const each = sent.parties.length < 2 ? '' : ` (${times.join(', ')})`;
  const to = recipients.length === 0 ? '' : ` → ${safe(recipients.join(', '))}`;
  const group = header.group === undefined ? '' : ` · group ${header.group}`;
  const outcome = `${outcomeText(sent, target)} in ${spanOf(endMs(sent))}${each}`;
  const twice = sent.isDuplicate ? ' · sent before' : '';
  return `${safe(header.type)} ${sent.id}${to}${group} · ${topicsText(sent)}${twice} · ${outcome}`;
}

function topicsText({ message }: Sent): string {
  return `topic ${safe(message.header.topics.join(', '))}`;
}

function outcomeText(sent: Sent, target: Target): string {
  const names = sent.parties.map(({ name }) => name);
  if (names.length === 0) return `accepted by ${target.party.name}`;
  const isEverywhere = names.length > 1 && names.length === target.parties.length;
  const where = isEverywhere ? `all ${names.length} parties` : names.join(', ');
  return `confirmed at ${where}`;
}

/** Time until the last awaited party had decided, or the node had accepted. */
function endMs(sent: Sent): number {
  return sent.parties.length === 0 ? sent.acceptedMs : slowestMs(sent);
}
