import { sql, type SQL } from 'drizzle-orm'
import { serve, type RulesOf } from '../../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../../core/resource/touch.server.ts'
import { isBelow } from '../../../core/resource/tree-place.server.ts'
import { mergeSets } from '../selected/places.server.ts'
import { rebuildClosure } from './closure.server.ts'
import { knowledgeLabel, microLabel, practiceLabel } from './label.ts'

/** Names that a label answers to beside its own. */
const ALIASES = 20

const count = (pool: string): SQL => sql`select count(*)::int from practice_label_tree c where c.label_id = t.id and c.pool = ${sql.raw(`'${pool}'`)}`

const rules: RulesOf<typeof knowledgeLabel> = {
  computed: { back_count: count('back'), official_count: count('official') },
  tree: {
    async moved({ tx, node }) {
      await rebuildClosure(tx, sql`select pl.practice_id from practice_label pl join label l on l.id = pl.label_id where l.id = ${node.id} or ${isBelow({ id: node.id, path: node.path ?? '/' }, 'l.')}`)
    },
    async merged({ tx, from, into }) {
      const changed = await tx.query<{ practice_id: number }>(sql`with gone as (delete from practice_label where label_id = ${from.id} returning practice_id, main),
        put as (insert into practice_label (practice_id, label_id, main) select practice_id, ${into.id}, main from gone
          on conflict (practice_id, label_id) do update set main = practice_label.main or excluded.main)
        select practice_id from gone`)
      await tx.query(sql`with gone as (delete from label_chapter where label_id = ${from.id} returning chapter_id)
        insert into label_chapter (label_id, chapter_id) select ${into.id}, chapter_id from gone on conflict do nothing`)
      await mergeSets(tx, 'label', from.id, into.id)
      // What had the label for its first step may be the one that takes its place.
      await setDerived(tx, knowledgeLabel, { prereq_ids: sql`array_remove(t.prereq_ids, t.id)` }, sql`t.id = ${into.id} and t.prereq_ids @> array[t.id]`)
      const alias = [...new Set([...into.alias ?? [], from.name, ...from.alias ?? []])].filter((name) => name !== into.name).slice(0, ALIASES)
      await touch(tx, knowledgeLabel, { alias }, into.id)
      await rebuildClosure(tx, sql`select unnest(${sql.param(changed.map((row) => row.practice_id))}::bigint[])`)
    },
  },
}

export const labelServices = [serve(knowledgeLabel)(rules), serve(practiceLabel)(rules), serve(microLabel)(rules)]
