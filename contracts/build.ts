import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import untypedCompiler from 'solc';

/** What a contract's file in `artifacts/` holds. */
export interface Artifact {
  readonly contractName: string;
  readonly abi: readonly unknown[];
  /** Creation code, `0x…`; the constructor's arguments follow it. */
  readonly bytecode: string;
  readonly deployedBytecode: string;
  readonly compiler: string;
}

/** What we use of the compiler, whose own types say `any`. */
const compiler: { compile(input: string): string; version(): string } = untypedCompiler;

const folder = fileURLToPath(new URL('.', import.meta.url));
const contractNames = ['Network'];

/** Fixed, so that the same sources give the same bytes anywhere. Chains that are older than Shanghai are rare. */
const settings = {
  optimizer: { enabled: true, runs: 10_000 },
  evmVersion: 'shanghai',
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly unknown[];
            readonly evm: {
              readonly bytecode: { readonly object: string };
              readonly deployedBytecode: { readonly object: string };
            };
          }
        >
      >
    >
  >;
}

/**
 * Compiles every contract of this folder: artifact file name → its text, the same bytes for the same sources.
 *
 * @throws Error with the compiler's words, for warnings too
 */
export async function compileContracts(): Promise<Map<string, string>> {
  const sources = Object.fromEntries(
    await Promise.all(
      contractNames.map(
        async (name) => [`${name}.sol`, { content: await readFile(`${folder}${name}.sol`, 'utf8') }] as const,
      ),
    ),
  );
  const output = JSON.parse(
    compiler.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
  ) as CompilerOutput;
  const complaints = output.errors ?? [];
  if (complaints.length > 0) throw new Error(complaints.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return new Map(
    contractNames.map((name) => [`${name}.json`, `${JSON.stringify(artifactOf(output, name), null, 2)}\n`]),
  );
}

/** Writes what `compileContracts` gives into `artifacts/`. */
export async function writeArtifacts(): Promise<void> {
  await mkdir(`${folder}artifacts`, { recursive: true });
  for (const [file, text] of await compileContracts()) await writeFile(`${folder}artifacts/${file}`, text);
}

/** The text of a committed artifact. */
export function readArtifact(file: string): Promise<string> {
  return readFile(`${folder}artifacts/${file}`, 'utf8');
}

function artifactOf(output: CompilerOutput, contractName: string): Artifact {
  const contract = output.contracts[`${contractName}.sol`]?.[contractName];
  if (contract === undefined) throw new Error(`The compiler gave no contract ${contractName}.`);
  return {
    contractName,
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    compiler: `solc ${compiler.version()}`,
  };
}
