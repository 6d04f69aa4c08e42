/** Returns the URL of a module of the code with a plant, which Node loads apart from the module without it. */
export function urlWithPlant(url: string, plant: string): string {
  return `${url}?plant=${plant}`;
}

/** Returns the plant in the URL of a module, if there is one. */
export function plantOf(url: string): string | undefined {
  return new URL(url).searchParams.get('plant') ?? undefined;
}
