import {
  createOutput,
  type Environment,
  type Output,
  type OutputModes,
  type Sink,
} from '../../../src/cli/terminal/output.js';

export interface Written {
  readonly output: Output;
  readonly out: () => string;
  readonly err: () => string;
}

/** An output whose streams are kept in memory; by default terminals of 80 columns and 24 rows. */
export function memoryOutput(
  options: {
    readonly isTerminal?: boolean;
    readonly columns?: number;
    readonly rows?: number;
    readonly environment?: Environment;
    readonly modes?: Partial<OutputModes>;
  } = {},
): Written {
  const { isTerminal = false, columns = 80, rows = 24, environment = {}, modes = {} } = options;
  const [stdout, stderr] = [sink(isTerminal, { columns, rows }), sink(isTerminal, { columns, rows })];
  const output = createOutput({
    stdout: stdout.sink,
    stderr: stderr.sink,
    environment,
    modes: { isJson: false, isQuiet: false, isVerbose: false, hasColor: true, ...modes },
  });
  return { output, out: stdout.text, err: stderr.text };
}

function sink(
  isTTY: boolean,
  size: Pick<Sink, 'columns' | 'rows'>,
): { readonly sink: Sink; readonly text: () => string } {
  let text = '';
  const write: Sink['write'] = (chunk, done) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    done(undefined);
    return true;
  };
  return { sink: { write, isTTY, ...size }, text: () => text };
}
