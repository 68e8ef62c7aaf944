import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { TableUse } from '../../core/resource/uses.server.ts'
import type { BlockTarget, OfferedKind } from './calls.ts'

/** What a kind of block says of one thing that it may show. */
export type TargetFacts = Omit<BlockTarget, 'kind'>

/** A kind of content: the row of data that the module of that content hands over. */
export interface BlockKind {
  /** Kept with each block, snake case; never changed. */
  readonly kind: string
  /** 视频 */
  readonly label: string
  /** Ways in which it is used, where there are several: 随堂, 课后. */
  readonly slots?: readonly { readonly value: number; readonly label: string }[]
  /** Whether a block can be held at one version. */
  readonly versions?: true
  /** Absent for a kind that refers to nothing: its words stand in the block. */
  readonly target?: {
    /** Name, length, health of these; what is absent from the answer does not live any more. */
    describe(db: Queryable, ids: readonly number[]): Promise<readonly TargetFacts[]>
    /**
     * What a person may bind, narrowed by words.
     * @param subjectId null: of any subject
     * @returns at most fifty
     */
    find(db: Queryable, staff: Staff, words: string, subjectId: number | null): Promise<readonly TargetFacts[]>
    /**
     * Opens what is bound to those who may see where it stands, in the transaction that binds it; absent where nothing is closed.
     * @param screen id of the screen of the owner
     */
    bound?(tx: Queryable, ids: readonly number[], screen: number): Promise<void>
  }
}

const kinds = new Map<string, BlockKind>()

/** Adds a kind of content; called once by the server half of the module whose content it is. */
export function addBlockKind(kind: BlockKind): void {
  kinds.set(kind.kind, kind)
}

export const blockKind = (kind: string): BlockKind | undefined => kinds.get(kind)

/** Kinds as an editor offers them; those that no module has handed over are left out. */
export const offeredKinds = (wanted: readonly string[]): OfferedKind[] => wanted.flatMap((kind) => {
  const known = blockKind(kind)
  return known ? [{ kind, label: known.label, slots: known.slots ?? [], versions: known.versions ?? false, refers: known.target !== undefined }] : []
})

interface Named { readonly kind: string; readonly ref_id: number }

/** What the blocks of an outline show, one question for each kind. */
export async function describeBlocks(db: Queryable, blocks: readonly Named[]): Promise<BlockTarget[]> {
  const found: BlockTarget[] = []
  for (const [kind, own] of Map.groupBy(blocks, (block) => block.kind)) {
    const ids = [...new Set(own.flatMap(({ ref_id }) => (ref_id > 0 ? [ref_id] : [])))]
    const facts = ids.length === 0 ? [] : await blockKind(kind)?.target?.describe(db, ids) ?? []
    found.push(...facts.map((fact) => ({ ...fact, kind })))
  }
  return found
}

/** Opens what these blocks show to those who may see a screen. */
export async function openBlocks(tx: Queryable, blocks: readonly Named[], screen: number): Promise<void> {
  for (const [kind, own] of Map.groupBy(blocks, (block) => block.kind)) await blockKind(kind)?.target?.bound?.(tx, own.map(({ ref_id }) => ref_id), screen)
}

/** What keeps a record from being removed while blocks of a kind show it, in what is edited or in what learners see. @param target the resource; several may share a kind */
export function usedByBlocks(kind: string, target: Resource): TableUse[] {
  const of = sql`r.kind = ${sql.raw(`'${kind}'`)} and r.ref_id = u.id`
  return [
    { target, table: 'outline_block', when: of, label: '课程目录内容', measure: '处' },
    { target, table: 'outline_shown', when: sql`${of} and not exists (select 1 from outline_block b where b.outline_id = r.outline_id and b.kind = r.kind and b.ref_id = r.ref_id)`, label: '已发布的课程目录', measure: '个' },
  ]
}

/** Places where something is shown, with the nodes' names, for the screens of what is shown. @public for the modules whose content is shown */
export function blocksShowing(kind: string, refId: number): SQL {
  return sql`select o.owner_kind, o.owner_id, o.id as outline_id, n.id as node_id, n.name from outline_block b join outline_node n on n.id = b.node_id join outline o on o.id = b.outline_id where b.kind = ${kind} and b.ref_id = ${refId} and not n.gone`
}
