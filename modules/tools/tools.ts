import { price, scores, time } from './kit/numbers.ts'
import { compare, groups, identity, mobiles } from './kit/people.ts'
import { columns, qr } from './kit/table.ts'
import { clean, diff, pinyin } from './kit/teaching.ts'
import { MOST, optionsOf, type Tool, type ToolInput, type ToolResult } from './tool.ts'

/** Every tool, in the order of the screen (operations 2601). */
export const TOOLS: readonly Tool[] = [mobiles, compare, identity, groups, columns, qr, clean, diff, pinyin, scores, price, time]

/** The tool of a name; the first where there is none. */
export const toolOf = (name: string | null | undefined): Tool => TOOLS.find((tool) => tool.name === name) ?? mobiles

/**
 * Runs a tool.
 * @throws Error with a sentence where nothing can come of the input
 */
export function runTool(name: string, input: ToolInput): ToolResult {
  const tool = toolOf(name)
  if (input.text.length + input.other.length > MOST.letters) throw new Error(`内容太长，最多 ${MOST.letters.toLocaleString('zh-CN')} 个字符`)
  if (input.table.length > MOST.rows) throw new Error(`表格最多 ${MOST.rows.toLocaleString('zh-CN')} 行`)
  if (tool.takes !== 'table' && input.text.trim() === '' && input.other.trim() === '') throw new Error('先填写或拖入内容')
  return tool.run({ ...input, options: optionsOf(tool, input.options) })
}
