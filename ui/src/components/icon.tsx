const shapes = {
  mark: 'M4 13V3h5a3.5 3.5 0 0 1 0 7H6M13 13h.01',
  overview: 'M2 2h5v5H2zM9 2h5v3H9zM9 7h5v7H9zM2 9h5v5H2z',
  events: 'M2 8h3l2-5 3 10 2-5h2',
  messages: 'M2 3h12v8H7l-3 3v-3H2z',
  data: 'M3 4c0-1 2-2 5-2s5 1 5 2v8c0 1-2 2-5 2s-5-1-5-2zM3 4c0 1 2 2 5 2s5-1 5-2M3 8c0 1 2 2 5 2s5-1 5-2',
  datatypes: 'M6 2C4 2 5 8 2 8c3 0 2 6 4 6M10 2c2 0 1 6 4 6-3 0-2 6-4 6',
  network: 'M8 2v4M4 11l4-5 4 5M2.5 11h3v3h-3zM10.5 11h3v3h-3zM6.5 2h3v3h-3z',
  groups:
    'M6 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM2 13c0-2.5 2-4 4-4s4 1.5 4 4M11 7a2 2 0 1 0-1-3.7M11.5 9c1.5.4 2.5 2 2.5 4',
  subscriptions: 'M3 13a1 1 0 1 0 0-.010M3 8a5 5 0 0 1 5 5M3 3a10 10 0 0 1 10 10',
  flow: 'M2 4h3v3H2zM11 9h3v3h-3zM5 5.500h3v5h3',
  topics: 'M2 4h8M2 8h12M2 12h5M12.500 2.500v3',
  compose: 'M3 13l1-4 7-7 3 3-7 7zM9 4l3 3',
  tokens: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v6M6 6.500h3a1.300 1.300 0 0 1 0 2.500H7',
  contracts: 'M4 2h8v12H4zM6.500 5h3M6.500 8h3M6.500 11h1.500',
  party: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.500 14c.5-3 2.500-4.500 5.500-4.500s5 1.500 5.500 4.500',
  namespace: 'M2 4l6-2 6 2-6 2zM2 8l6 2 6-2M2 12l6 2 6-2',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3l2 2',
  theme: 'M8 2v12M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500h3M8 7h4.500M8 9.500h4M8 12h2',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6 6.500a2 2 0 1 1 2.500 2c-.5.200-.5.500-.5 1M8 11.500h.010',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3 3l10 10M13 3L3 13',
  copy: 'M5 5h8v9H5zM3 11V2h8',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  cross: 'M4 4l8 8M12 4l-8 8',
  waiting: 'M4 2h8M4 14h8M5 2c0 3 3 4 3 6s-3 3-3 6M11 2c0 3-3 4-3 6s3 3 3 6',
  blocked: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM4 12l8-8',
  staged: 'M3 3h10v10H3zM3 7h10',
  cancelled: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5 8h6',
  pause: 'M5 3v10M11 3v10',
  play: 'M4 3l9 5-9 5z',
  download: 'M8 2v8M4.500 7L8 10.500 11.500 7M3 13.500h10',
  columns: 'M2 3h12v10H2zM6 3v10M10 3v10',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.500 10.500L14 14',
  filter: 'M2 3h12l-4.500 5.500V13l-3-1.500v-3z',
  expand: 'M9 2h5v5M14 2L8 8M7 4H3v9h9V9',
  chevron: 'M4 6l4 4 4-4',
  table: 'M2 3h12v10H2zM2 7h12M2 10h12M7 7v6',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  warning: 'M8 2l6.500 12h-13zM8 6.500v3.500M8 12h.010',
} as const;

export type IconName = keyof typeof shapes;

/** A decorative icon in the colour of the text, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={shapes[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
