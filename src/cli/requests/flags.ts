import * as Flags from '@oclif/core/flags';
import { targetFlags, timeoutFlag } from '../flags.js';

export const apiFlags = {
  ...targetFlags,
  data: Flags.string({ char: 'd', description: 'body: JSON, @FILE or - for stdin' }),
  header: Flags.string({ char: 'H', multiple: true, multipleNonGreedy: true, description: 'header, such as a:b' }),
  include: Flags.boolean({ char: 'i', description: 'also print status and headers' }),
  curl: Flags.boolean({ description: 'print the request as a curl command, send nothing' }),
  timeout: timeoutFlag('120s'),
};
