/** Endings of question files that can be read; each has a reader in read-file.server.ts. */
export const ENDINGS = ['.docx', '.xlsx', '.txt', '.gift', '.xml', '.zip', '.json', '.jsonl'] as const
