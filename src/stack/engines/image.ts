import { PassThrough } from 'node:stream';
import { create } from 'tar';
import type { Engine } from './container-engine.js';
import { defaultVariables } from '../../supervisor/machine/environment.js';
import { StackError } from '../error.js';
import { contentHash, type ImageFile, imageFiles, places } from './image-files.js';
import { ownVersion } from '../upgrade/own-version.js';

/** An image of this package at an engine. */
export interface Image {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly hasChain: boolean;
  /** Whether this call created it. */
  readonly isNew: boolean;
}

/** The labels of images: the hash of the content, and whether it includes the chain. */
const labels = { content: 'parley.image', chain: 'parley.image.chain' } as const;
const repository = 'parley';

/**
 * Creates the image of this package with the running Node, unless the engine has it. It is imported as one archive,
 * without a base image or a registry.
 *
 * @throws StackError IMAGE_FAILED
 */
export async function ensureImage(engine: Engine, hasChain: boolean): Promise<Image> {
  if (process.platform !== 'linux') {
    throw new StackError(
      'IMAGE_FAILED',
      `An image contains the Node that runs here, and Node of ${process.platform} does not run in a container.`,
      {
        hint: 'Build the Dockerfile of the repository, and name the image: docker: {image: NAME}.',
      },
    );
  }
  const files = await imageFiles(hasChain);
  const hash = await contentHash(files);
  const [found] = await imagesWith(engine, `${labels.content}=${hash}`);
  if (found !== undefined) return { ...found, isNew: false };
  const tag = await tagOf(hash, hasChain);
  try {
    await importArchive(engine, archiveOf(files), { tag, hash, hasChain });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StackError('IMAGE_FAILED', `The image could not be created: ${reason}`, { cause });
  }
  const [made] = await imagesWith(engine, `${labels.content}=${hash}`);
  if (made === undefined)
    throw new StackError('IMAGE_FAILED', `${engine.title} accepted the image but does not list it.`);
  return { ...made, isNew: true };
}

/** The name of the image that `ensureImage` creates; needs no engine. */
export async function imageName(hasChain: boolean): Promise<string> {
  return `${repository}:${await tagOf(await contentHash(await imageFiles(hasChain)), hasChain)}`;
}

async function tagOf(hash: string, hasChain: boolean): Promise<string> {
  return `${await ownVersion()}${hasChain ? '' : '-nochain'}-${hash.slice(0, 8)}`;
}

export function listImages(engine: Engine): Promise<readonly Omit<Image, 'isNew'>[]> {
  return imagesWith(engine, labels.content);
}

/** Removes an image. @throws Error of the engine if a container uses it */
export async function removeImage({ docker }: Engine, { id }: Pick<Image, 'id'>): Promise<void> {
  await docker.getImage(id).remove({ force: true });
}

async function imagesWith({ docker }: Engine, label: string): Promise<Omit<Image, 'isNew'>[]> {
  const found = await docker.listImages({ filters: JSON.stringify({ label: [label] }) });
  return found.map(({ Id, RepoTags, Size, Labels }) => ({
    id: Id,
    name: RepoTags?.[0] ?? Id.replace(/^sha256:/, '').slice(0, 12),
    sizeBytes: Size,
    hasChain: Labels?.[labels.chain] === 'true',
  }));
}

/** Streams the archive, in which every file belongs to root and is readable by all. */
function archiveOf(files: readonly ImageFile[]): NodeJS.ReadableStream {
  const targets = new Map(files.map(({ source, target }) => [source.slice(1), target]));
  const options = { cwd: '/', portable: true, follow: true, mtime: new Date(0) };
  const archive = create(
    {
      ...options,
      onWriteEntry: (entry) => {
        entry.path = targets.get(entry.path) ?? entry.path;
        if (entry.stat !== undefined) entry.stat.mode |= (entry.stat.mode & 0o100) === 0 ? 0o444 : 0o555;
      },
    },
    [...targets.keys()],
  );
  const out = new PassThrough();
  archive.on('data', (chunk: Buffer) => {
    if (!out.write(chunk)) archive.pause();
  });
  out.on('drain', () => archive.resume());
  archive.on('end', () => out.end());
  archive.on('error', (error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
  return out;
}

interface ImportOptions {
  readonly tag: string;
  readonly hash: string;
  readonly hasChain: boolean;
}

async function importArchive(
  { docker, isPodman }: Engine,
  archive: NodeJS.ReadableStream,
  { tag, hash, hasChain }: ImportOptions,
): Promise<void> {
  const changes = [
    // One instruction each: Podman reads further labels as part of the first one's value.
    `LABEL ${labels.content}=${hash}`,
    `LABEL ${labels.chain}=${hasChain}`,
    `WORKDIR /${places.root}`,
    `ENV PATH=/usr/local/bin`,
    ...Object.entries(defaultVariables).map(([name, value]) => `ENV ${name}=${value}`),
  ];
  // Podman ignores the tag unless it is part of the name.
  const name = isPodman ? { repo: `localhost/${repository}:${tag}` } : { repo: repository, tag };
  const answer = await docker.importImage(archive, { fromSrc: '-', ...name, changes });
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  const [, error] = /"error":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  if (error !== undefined) throw new Error(error);
}
