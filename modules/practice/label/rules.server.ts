import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { invalid } from '../../../core/error/error.ts'
import { serve, type RulesOf } from '../../../core/resource/serve.server.ts'
import { knowledgeLabel, MAX_DEPTH, microLabel, pathBelow, practiceLabel, type LabelKind } from './label.ts'

/** What the rules read of a label that stands above another. */
interface Above {
  id: number
  kind: LabelKind
  subject_id: number
  path: string
  depth: number
}

/** domain 1.19: names are unique inside their parent. */
export async function refuseSameName(tx: Queryable, label: { id?: number; kind: LabelKind; subject_id: number; parent_id: number | null; name: string }): Promise<void> {
  const [same] = await tx.query(sql`select 1 from label where kind = ${label.kind} and subject_id = ${label.subject_id} and parent_id is not distinct from ${label.parent_id}
    and name = ${label.name} and id <> ${label.id ?? 0} and deleted_at is null`)
  if (same) throw invalid({ name: '同级下已存在同名项' })
}

function rules(kind: LabelKind): RulesOf<typeof knowledgeLabel> {
  return {
    async before({ tx, values, row }) {
      const parent_id = row ? row.parent_id : values.parent_id ?? null
      const subject_id = row?.subject_id ?? Number(values.subject_id)
      if (!row && parent_id !== null) {
        const [above] = await tx.query<Above>(sql`select id, kind, subject_id, path, depth from label where id = ${parent_id}`)
        if (above?.kind !== kind || above.subject_id !== subject_id) throw invalid({ parent_id: '上级应为同一学科的同类标签' })
        if (above.depth >= MAX_DEPTH) throw invalid({ parent_id: `最多 ${MAX_DEPTH} 级` })
        Object.assign(values, { path: pathBelow(above), depth: above.depth + 1 })
      }
      if (values.name !== undefined) await refuseSameName(tx, { ...(row && { id: row.id }), kind, subject_id, parent_id, name: values.name })
    },
  }
}

export const labelServices = [serve(knowledgeLabel)(rules('knowledge')), serve(practiceLabel)(rules('practice')), serve(microLabel)(rules('micro'))]
