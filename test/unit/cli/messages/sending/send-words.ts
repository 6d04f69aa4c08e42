import type { SendFlags } from '../../../../../src/cli/messages/sending/send-flags.js';

/** Returns the flags of `stack broadcast` and `stack send` when none is typed. */
export function sendWords(given: Partial<SendFlags> = {}): SendFlags {
  return {
    items: [],
    recipients: undefined,
    autometa: true,
    'no-wait': false,
    timeout: '30s',
    'dry-run': false,
    curl: false,
    progress: 'auto',
    lines: false,
    expand: false,
    concurrency: 1,
    'keep-going': false,
    ...given,
  };
}
