import { quote } from '../../../../src/client/curl.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { type ActionTarget, sdkProgram, targetFlags } from '../../actions/action-texts.js';

export interface UploadTexts {
  readonly curl: string;
  readonly stack: string;
  readonly sdk: string;
}

/** The curl command, the `stack` command and the program that upload the same file, to be run in its folder. */
export function uploadTexts(name: string, hasMeta: boolean, target: ActionTarget): UploadTexts {
  const file = name.startsWith('-') ? `./${name}` : name;
  const address = `${target.url}/api/v1/namespaces/${encodeURIComponent(target.namespace)}/data`;
  // In the value of -F, a comma or semicolon ends a name that has no quotes.
  const part = `file=@"${file.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const curl = ['curl', '-sS', address, ...(hasMeta ? ['-F', 'autometa=true'] : []), '-F', part];
  const stack = ['stack', 'data', 'upload', file, hasMeta ? '--autometa' : '--no-autometa', ...targetFlags(target)];
  const given = [`readFileSync(${textOf(name)})`, textOf({ filename: name }), textOf({ autometa: String(hasMeta) })];
  const modules = [`const { readFileSync } = require('node:fs');`];
  return {
    curl: curl.map(quote).join(' '),
    stack: stack.map(quote).join(' '),
    sdk: sdkProgram('uploadDataBlob', given, target, modules),
  };
}
