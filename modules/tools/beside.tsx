import type { ToolInput, ToolResult } from './tool.ts'

/** What the worker is asked. */
export type Asked = { id: number } & ({ do: 'run'; tool: string; input: ToolInput } | { do: 'read'; file: File } | { do: 'save'; result: ToolResult })

/** What it answers. */
export type Answer = { id: number; value: unknown } | { id: number; problem: string }

/** Longest that a tool works, in milliseconds: what takes longer has run away. */
const PATIENCE = 60_000

let worker: Worker | undefined
let asked = 0
const waiting = new Map<number, { done: (value: unknown) => void; failed: (error: Error) => void }>()

/** Stops the worker; whoever waits is told why, and the next question begins with another. */
function stop(why: string): void {
  worker?.terminate()
  worker = undefined
  for (const { failed } of waiting.values()) failed(new Error(why))
  waiting.clear()
}

function start(): Worker {
  const made = new Worker(new URL('./worker.tsx', import.meta.url), { type: 'module' })
  made.onmessage = ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if ('problem' in data) one?.failed(new Error(data.problem))
    else one?.done(data.value)
  }
  made.onerror = () => stop('工具没有启动，刷新页面再试')
  return made
}

function ask<Value>(question: { do: 'run'; tool: string; input: ToolInput } | { do: 'read'; file: File } | { do: 'save'; result: ToolResult }): Promise<Value> {
  worker ??= start()
  const id = ++asked
  return new Promise<unknown>((done, failed) => {
    const late = setTimeout(() => stop('一分钟没有算完，已停止；内容分几次处理'), PATIENCE)
    waiting.set(id, { done: (value) => { clearTimeout(late); done(value) }, failed: (error) => { clearTimeout(late); failed(error) } })
    worker?.postMessage({ id, ...question } satisfies Asked)
  }) as Promise<Value>
}

/** Runs a tool beside the page. Nothing of it leaves the machine. */
export const runBeside = (tool: string, input: ToolInput): Promise<ToolResult> => ask({ do: 'run', tool, input })

/** Reads a file beside the page. */
export const readBeside = (file: File): Promise<Pick<ToolInput, 'text' | 'table'>> => ask({ do: 'read', file })

/** Makes a file of an answer beside the page. */
export const saveBeside = (result: ToolResult): Promise<Blob> => ask({ do: 'save', result })
