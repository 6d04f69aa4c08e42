import { nearestHint } from '../../wire/lists/query.js';
import type { CommandResult } from '../base.js';
import { CliError } from '../errors/exit.js';
import type { CommandContext } from '../requests/target.js';
import { sheets } from './sheets.js';

/** `stack cheat`: worked examples of a topic, or of all. @throws CliError NOT_FOUND */
export function showExamples(topic: string | undefined, { output, program }: CommandContext): CommandResult {
  const names = topic === undefined ? Object.keys(sheets) : [topic];
  const chosen = names.map((name) => ({ name, examples: sheetOf(name) }));
  const typed = (command: string) => `${program} ${command.replaceAll(/\bstack (?=[a-z])/g, `${program} `)}`;
  const { paint } = output.out;
  const lines = chosen.flatMap(({ name, examples }) => [
    paint('bold', name),
    ...examples.flatMap(([what, command]) => [paint('dim', `  # ${what}`), `  ${typed(command)}`]),
    '',
  ]);
  const members = chosen.map(({ name, examples }) => ({
    topic: name,
    examples: examples.map(([what, command]) => ({ what, command: typed(command) })),
  }));
  return {
    json: { topics: members },
    text: lines.join('\n').trimEnd(),
    primary:
      topic === undefined
        ? names.join('\n')
        : sheetOf(topic)
            .map(([, command]) => typed(command))
            .join('\n'),
  };
}

function sheetOf(name: string): (typeof sheets)[string] {
  const sheet = Object.hasOwn(sheets, name) ? sheets[name] : undefined;
  if (sheet !== undefined) return sheet;
  throw new CliError('NOT_FOUND', `There are no examples of "${name}"${nearestHint(name, Object.keys(sheets))}`);
}
