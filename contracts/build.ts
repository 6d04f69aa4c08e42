import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import untypedCompiler from 'solc';

/** The contents of a contract's file in `artifacts/`. */
export interface Artifact {
  readonly contractName: string;
  readonly abi: readonly unknown[];
  /** Creation code, `0x…`; the constructor's arguments follow it. */
  readonly bytecode: string;
  readonly deployedBytecode: string;
  readonly compiler: string;
}

/** The part of the compiler's API that is used here; its own types are `any`. */
const compiler: {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } | { error: string } }): string;
  version(): string;
} = untypedCompiler;

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL('.', import.meta.url));
const contractNames = ['Network', 'TokenPools', 'TokenFactory', 'Erc20Pool', 'Erc721Pool'];
/** The prefix of imports from a package, and the folder of its sources. */
const packagePrefix = '@openzeppelin/contracts/';
const packageFolder = require.resolve('@openzeppelin/contracts/package.json').slice(0, -'package.json'.length);

/**
 * Fixed, and without metadata in the code, so that the same sources give the same bytes on every machine. Chains older
 * than Shanghai are rare.
 */
const settings = {
  optimizer: { enabled: true, runs: 10_000 },
  evmVersion: 'shanghai',
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

interface CompiledContract {
  readonly abi: readonly unknown[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
}

/**
 * Compiles all contracts of this folder; resolves with the text of each artifact by file name.
 *
 * @throws Error with the compiler's messages, also for warnings
 */
export async function compileContracts(): Promise<Map<string, string>> {
  const sources = Object.fromEntries(
    await Promise.all(
      contractNames.map(async (name) => [`${name}.sol`, await readFile(`${folder}${name}.sol`, 'utf8')] as const),
    ),
  );
  const artifacts = compile(sources);
  return new Map(
    contractNames.map((name) => {
      const artifact = artifacts.get(name);
      if (artifact === undefined) throw new Error(`The compiler returned no contract ${name}.`);
      return [`${name}.json`, `${JSON.stringify(artifact, null, 2)}\n`];
    }),
  );
}

/**
 * Compiles sources, given by file name. Returns the artifacts of the contracts that these files declare, by contract
 * name.
 *
 * @throws Error with the compiler's messages, also for warnings
 */
export function compile(sources: Readonly<Record<string, string>>): Map<string, Artifact> {
  const inputs = Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }]));
  const input = JSON.stringify({ language: 'Solidity', sources: inputs, settings });
  const output = JSON.parse(compiler.compile(input, { import: readSource })) as CompilerOutput;
  const messages = output.errors ?? [];
  if (messages.length > 0) throw new Error(messages.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return new Map(
    Object.keys(sources).flatMap((file) =>
      Object.entries(output.contracts[file] ?? {}).map(
        ([name, contract]) => [name, artifactOf(name, contract)] as const,
      ),
    ),
  );
}

/** Reads an imported file, synchronously because the compiler requires that. */
function readSource(path: string): { contents: string } | { error: string } {
  const file = path.startsWith(packagePrefix)
    ? `${packageFolder}${path.slice(packagePrefix.length)}`
    : `${folder}${path}`;
  return { contents: readFileSync(file, 'utf8') };
}

/** Compiles all contracts and writes their artifacts. */
export async function writeArtifacts(): Promise<void> {
  await mkdir(`${folder}artifacts`, { recursive: true });
  for (const [file, text] of await compileContracts()) await writeFile(`${folder}artifacts/${file}`, text);
}

/** Reads the text of a committed artifact. */
export function readArtifact(file: string): Promise<string> {
  return readFile(`${folder}artifacts/${file}`, 'utf8');
}

function artifactOf(contractName: string, { abi, evm }: CompiledContract): Artifact {
  return {
    contractName,
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    compiler: `solc ${compiler.version()}`,
  };
}
