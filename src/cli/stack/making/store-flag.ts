import type { Setting } from '../../../stack/definition/render.js';
import { CliError } from '../../errors/exit.js';

/**
 * The settings for `--store`: `ipfs=API,GATEWAY`, or the address of an API beside whose port the gateway is.
 *
 * @throws CliError USAGE
 */
export function storeSettings(word: string): Setting[] {
  const [api = '', gateway, ...more] = word.replace(/^ipfs=/, '').split(',');
  if (more.length > 0 || ![api, ...(gateway === undefined ? [] : [gateway])].every(isAddress)) {
    throw new CliError('USAGE', `--store takes http://HOST:5001 or ipfs=API,GATEWAY, not "${word}".`, {
      hint: 'The API is that of an IPFS node which others run: ipfs=http://HOST:5001,http://HOST:8080',
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
