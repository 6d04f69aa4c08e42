import { writeJsonFile } from './json-file.js';

/**
 * Writes the configuration of a program, replacing `${name.port}` inside its strings. A string that consists only of
 * such a placeholder becomes the number itself. This way services learn the ports that the system has chosen for
 * others.
 *
 * @throws Error for a port that is not known
 */
export async function writeConfigFile(
  config: { readonly file: string; readonly value: unknown },
  portOf: (name: string) => number | undefined,
): Promise<void> {
  await writeJsonFile(config.file, fillPorts(config.value, portOf));
}

/** Replaces the placeholders in a value. */
export function fillPorts(value: unknown, portOf: (name: string) => number | undefined): unknown {
  if (typeof value === 'string') return fillText(value, portOf);
  if (Array.isArray(value)) return value.map((item) => fillPorts(item, portOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillPorts(member, portOf)]));
}

const place = /\$\{([a-z][a-z0-9-]*)\.port\}/g;

function fillText(text: string, portOf: (name: string) => number | undefined): string | number {
  const filled = text.replaceAll(place, (_, name: string) => {
    const port = portOf(name);
    if (port === undefined) throw new Error(`The port of ${name} is not known yet.`);
    return String(port);
  });
  return filled !== text && /^\d+$/.test(filled) ? Number(filled) : filled;
}
