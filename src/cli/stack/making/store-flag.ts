import type { Setting } from '../../../stack/definition/render.js';
import { CliError } from '../../errors/exit.js';

/**
 * The settings for `--store`: `ipfs=API,GATEWAY`, or only the URL of the API, from which that of
 * the gateway is derived.
 *
 * @throws CliError USAGE
 */
export function storeSettings(word: string): Setting[] {
  const [api = '', gateway, ...more] = word.replace(/^ipfs=/, '').split(',');
  if (more.length > 0 || ![api, ...(gateway === undefined ? [] : [gateway])].every(isAddress)) {
    throw new CliError('USAGE', `--store must be http://HOST:5001 or ipfs=API,GATEWAY, not "${word}".`, {
      hint: 'For example: ipfs=http://HOST:5001,http://HOST:8080',
    });
  }
  return [
    { path: ['store', 'provider'], value: 'ipfs' },
    { path: ['store', 'api'], value: api },
    ...(gateway === undefined ? [] : [{ path: ['store', 'gateway'], value: gateway }]),
  ];
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}
