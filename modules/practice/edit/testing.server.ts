import { sql } from 'drizzle-orm'
import type { Caller, TestApp } from '../../../core/testing/app.server.ts'
import { inlineDoc, type Inline } from '../../../core/rich-text/rich-doc.ts'
import type { Written } from './calls.ts'
import { startWritten } from './written.ts'

/** Makes a label below the root of the knowledge tree of 高中数学 and answers its id. */
export async function knowledgeLabel(app: TestApp, editor: Caller, name: string): Promise<number> {
  const [root] = await app.db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and subject_id = 1 and parent_id is null`)
  const { status, body } = await editor.post<{ id: number }>('/daoyuan/api/end/knowledge_label', { subject_id: 1, parent_id: root?.id, name })
  if (status !== 200) throw new Error(`label ${name}: ${JSON.stringify(body)}`)
  return body.id
}

/** A single choice of 高中数学 that lacks nothing, so that it may be submitted. */
export function writtenChoice(label: number, stem: readonly Inline[], options: readonly string[] = ['1', '2', '3', '4']): Written {
  const { content, facts, ...start } = startWritten(1)
  return {
    ...start,
    content: {
      ...content, stem: inlineDoc([...stem]), options: options.map((one, index) => ({ id: `o${index + 1}`, doc: inlineDoc([one]) })),
      answer: { k: 'one', ok: 'o1' }, analysis: { ...content.analysis, solution: inlineDoc(['逐个比较。']) },
    },
    facts: { ...facts, difficulty: 3 }, labels: [{ id: label, main: true }],
  }
}
