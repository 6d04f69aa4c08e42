import { useState } from 'react';

const maxBytes = 32 * 1024 * 1024;

export interface FileText {
  readonly name: string;
  readonly text: string;
}

export function useFileText() {
  const [file, setFile] = useState<FileText | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const choose = async (chosen: File | undefined) => {
    setFile(undefined);
    setProblem(undefined);
    if (chosen === undefined) return;
    if (chosen.size > maxBytes) return setProblem('The file is larger than 32 MB: select the output of one contract.');
    try {
      setFile({ name: chosen.name, text: await chosen.text() });
    } catch {
      setProblem('The file could not be read: select it again.');
    }
  };
  return { file, problem, choose };
}
