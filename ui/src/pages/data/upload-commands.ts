import { quote } from '../../../../src/client/curl.js';
import { type ActionTarget, targetFlags } from '../../actions/action-texts.js';

/** The curl and the `stack` command that upload the same file, for a shell in its folder. */
export function uploadCommands(name: string, hasMeta: boolean, target: ActionTarget): readonly string[] {
  const file = name.startsWith('-') ? `./${name}` : name;
  const address = `${target.url}/api/v1/namespaces/${encodeURIComponent(target.namespace)}/data`;
  // In the value of -F, a comma or semicolon ends a name that has no quotes.
  const part = `file=@"${file.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const words = [
    ['curl', '-sS', address, ...(hasMeta ? ['-F', 'autometa=true'] : []), '-F', part],
    ['stack', 'data', 'upload', file, hasMeta ? '--autometa' : '--no-autometa', ...targetFlags(target)],
  ];
  return words.map((each) => each.map(quote).join(' '));
}
