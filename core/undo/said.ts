/** What is said after a change, with the way back. */
export interface Said {
  /** 已保存, 上架成功, 已删除 3 条. */
  readonly words: string
  /** By which number it is taken back. */
  readonly undo?: number | undefined
  /** What can be done instead, where it cannot be taken back: 退款, 作废, 撤回. */
  readonly instead?: { readonly label: string; readonly run: () => void } | undefined
  /** Why it cannot be taken back: 已记账，不能撤销. */
  readonly note?: string | undefined
}

/** What was said last, and when; a later change takes its place. */
export interface SaidNow extends Said {
  readonly key: number
}

let current: SaidNow | undefined
let count = 0
const watchers = new Set<() => void>()

/** Says that something was done; the bar of the console shows it for ten seconds with the way back. */
export function say(said: Said | undefined): void {
  current = said && { ...said, key: ++count }
  for (const watcher of watchers) watcher()
}

/** What is said at the moment. */
export const saidNow = (): SaidNow | undefined => current

/** Hears of what is said. @returns stops it */
export function onSaid(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
