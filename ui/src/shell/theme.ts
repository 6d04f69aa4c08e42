import { useSyncExternalStore } from 'react';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const densities = ['compact', 'comfortable'] as const;
export type Density = (typeof densities)[number];

export function storedTheme(): Theme {
  const stored = localStorage.getItem('theme');
  return themes.find((theme) => theme === stored) ?? 'auto';
}

export function applyTheme(theme: Theme): void {
  store('theme', theme, 'auto');
}

export function storedDensity(): Density {
  return localStorage.getItem('density') === 'comfortable' ? 'comfortable' : 'compact';
}

export function applyDensity(density: Density): void {
  store('density', density, 'compact');
  for (const listener of densityListeners) listener();
}

export function useDensity(): Density {
  return useSyncExternalStore(subscribeDensity, storedDensity);
}

const densityListeners = new Set<() => void>();

function subscribeDensity(listener: () => void): () => void {
  densityListeners.add(listener);
  return () => densityListeners.delete(listener);
}

function store(name: 'theme' | 'density', value: string, fallback: string): void {
  if (value === fallback) {
    localStorage.removeItem(name);
    delete document.documentElement.dataset[name];
  } else {
    localStorage.setItem(name, value);
    document.documentElement.dataset[name] = value;
  }
}
