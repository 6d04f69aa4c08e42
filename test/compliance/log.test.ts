import { createPinoLog } from '../../src/adapters/log/pino.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { describeLog } from './log.js';

describeLog('pino', () => {
  const lines: string[] = [];
  const log = createPinoLog({ name: 'test', level: 'debug', output: { write: (line) => lines.push(line) } });
  return { log, entries: () => lines.map((line): Record<string, unknown> => JSON.parse(line)) };
});

describeLog('silent', () => ({ log: createSilentLog(), entries: () => undefined }));
