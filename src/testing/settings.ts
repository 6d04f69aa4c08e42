import { textOf } from '../wire/json/json.js';
import type { Setting } from '../stack/definition/render.js';

/** Values by the dotted paths of settings. */
export type SettingValues = Readonly<Record<string, string | number | boolean | object>>;

/** Returns settings as texts of YAML, as `--set` takes them. JSON is YAML, so it is the text of a list or an object. */
export function settingsOf(values: SettingValues): Setting[] {
  return Object.entries(values).map(([path, value]) => ({
    path: path.split('.'),
    value: typeof value === 'object' ? textOf(value) : String(value),
  }));
}
