import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { create, type Pipeline } from '../../core/resource/operations.server.ts'
import { materialTag } from './tag.ts'

/** Longest name of a tag; folders may be called longer. */
const LONGEST = 30
/** Taken by whoever makes tags for folders: uploads of one folder ask at the same time. */
const LOCK = 'material_tag folders'

/**
 * The tag that stands for a folder. Folders below the last level of tags count with the one above them.
 * @param names folders from the top
 * @param under tag below which the first of them stands
 * @returns id of the tag
 * @throws AppError where the person may not make tags and one is missing
 */
export async function tagOfFolders(tx: Queryable, pipeline: Pipeline, names: readonly string[], under: number | undefined): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${LOCK}))`)
  let parent: { id: number; depth: number } | undefined
  if (under !== undefined) {
    [parent] = await tx.query<{ id: number; depth: number }>(sql`select id, depth::int as depth from material_tag where id = ${under} and deleted_at is null`)
    if (!parent) throw badRequest('所选标签已不存在，请重新选择')
  }
  for (const name of names.map((one) => one.trim().slice(0, LONGEST)).filter(Boolean)) {
    if (parent && parent.depth + 1 >= (materialTag.tree?.levels ?? 0)) break
    const [known]: { id: number; depth: number }[] = await tx.query<{ id: number; depth: number }>(sql`select id, depth::int as depth from material_tag
      where name = ${name} and parent_id is not distinct from ${parent?.id ?? null}::bigint and deleted_at is null limit 1`)
    if (known) {
      parent = known
      continue
    }
    const { record } = await create(tx, pipeline, { name, parent_id: parent?.id ?? null })
    parent = { id: record.id, depth: (parent?.depth ?? -1) + 1 }
  }
  if (!parent) throw badRequest('文件夹名称有误')
  return parent.id
}
