import type { AnyField } from '../field/any-field.ts'
import type { Fields, InputOf, RecordMeta, RowOf } from '../field/field.ts'
import { standardId, type ScopeKind, type StandardAction } from '../grant/grant.ts'
import { defineRights, type Rights } from '../grant/rights.ts'
import { lookUpFields } from './behind.ts'
import { checkPolicies, type Policy } from './policy.ts'
import type { EdgeOf, Flat, Key, OpenShape, ReferenceKey, Shape, ShapeOf, ValuesOf } from './shape.ts'
import { shelfEdge, shelves } from './switch.ts'

/** How a list answers; the spec's calls differ (spec 3, last line). */
export interface ListReply {
  items: string
  total: string
}

export const itemsTotal: ListReply = { items: 'items', total: 'total' }
/** Rows with their number under `count` (spec 3). @public */
export const countItems: ListReply = { items: 'items', total: 'count' }
/** Rows under a key of their own, as `proxy_users`. */
export const named = (key: string): ListReply => ({ items: key, total: 'total' })

/** Paths of a resource's calls. Further ones hang below these. */
export interface Api {
  readonly list: string
  /** Path of one record without its id; POST here creates. */
  readonly item: string
  readonly reply: ListReply
}

/**
 * Paths in the spec's convention: plural for the list, singular for the record.
 * @example api('/daoyuan/api/end/self_study_room', 'partners', 'partner')
 */
export function api(base: string, list: string, item: string, reply: ListReply = itemsTotal): Api {
  return { list: `${base}/${list}`, item: `${base}/${item}`, reply }
}

/** A field, one of the columns that every record has, or a twin that carries a name. */
type ColumnKey<F> = Key<F> | 'id' | 'created_at' | 'created_by_name' | 'updated_at' | 'updated_by_name' | 'deleted_at'

/** A column, or references and a column behind them: `school_id.partner_id`. */
type ScopePath<F extends Fields> = Key<F> | 'id' | `${ReferenceKey<F>}.${string}`

/** One edge of a state machine; the server checks `from` in the same transaction, the console draws a row action. */
export type Transition<F extends Fields = Fields, Right extends string = string, Name extends string = string> = EdgeOf<F> & {
  readonly name: Name
  readonly label: string
  /** Name of the right that it takes; absent: the right to edit is enough. */
  readonly right?: Right
  /** Asks for a reason of 2 to 200 characters (domain 1.19). */
  readonly reason?: true
  /** Question before it is done. */
  readonly confirm?: string
  readonly danger?: true
  /** A person who does it proves afresh who they are, also in bulk. */
  readonly fresh?: true
  /** What is done about a mistake where no edge leads back, or a second person decided: 退款, 作废, 撤回. Asked for where it is done. */
  readonly instead?: string
}

/** A name that machines use, with its word. */
export interface Named<Name extends string = string> {
  readonly name: Name
  readonly label: string
}

export interface FormSection<F> {
  readonly title?: string
  readonly fields: readonly Key<F>[]
}

export interface TreeSpec<F> {
  /** Most levels; a hidden root is none of them. */
  readonly levels: number
  /** The nodes of a group hang below one record that people neither see nor move, as labels below the root of their subject. */
  readonly rooted?: true
  /** Nodes below the same parent may have the same name. */
  readonly namesakes?: true
  /** Fields that a node carries beside its name, computed ones too: its state, its numbers. */
  readonly shows?: readonly Key<F>[]
  /** Fields that stand beside the levels in a sheet of the tree. */
  readonly facts?: readonly Key<F>[]
}

/** How the records of a resource hang below one another. */
export interface Tree {
  readonly levels: number
  readonly rooted: boolean
  readonly namesakes: boolean
  readonly shows: readonly string[]
  readonly facts: readonly string[]
  /** Fields by which the table falls into trees of their own: what the parent's reference is narrowed by. */
  readonly group: readonly string[]
  /** A node can take the place of another, whose id then means it. */
  readonly merges: boolean
}

export interface ResourceSpec<F extends Fields, Right extends string, TransitionName extends string, Logged extends string> {
  /** Unique name, English, snake case, under 40 characters. */
  name: string
  /** Table, when several resources share one; the name otherwise. */
  table?: string
  label: string
  /** Measure word of its records, as in 3 名学生; 个 by default. */
  measure?: string
  /** Field that names a record to people; `name` by default. */
  title?: Key<F>
  /** Id of the screen that shows it. */
  grant: number
  /** Rights of that screen by name, beside the standard ones. */
  rights?: Rights<Right>
  api: Api
  fields: F
  list: {
    columns: readonly ColumnKey<F>[]
    filters: readonly (Key<F> | 'created_at' | 'created_by')[]
    /** Columns that stand below what names a record and tell it from others of the same name: region, school, number. */
    under?: readonly ColumnKey<F>[]
    /** Newest first by default; a minus sign means descending. */
    sort?: Key<F> | 'id' | 'created_at' | `-${Key<F>}` | '-id' | '-created_at'
    /** Fields whose sum stands below the table. */
    summary?: readonly Key<F>[]
  }
  form?: readonly FormSection<F>[]
  import?: {
    columns: readonly Key<F>[]
    /** Fields that say which record a row means; a row that is there already is refused, or updated when asked. */
    key: readonly Key<F>[]
  }
  transitions?: readonly Transition<NoInfer<F>, NoInfer<Right> | StandardAction, TransitionName>[]
  /**
   * Who may do what, and when, beside holding the right: evaluated for every row that is answered (`can`, `cannot`) and again
   * in the transaction that writes. What needs the database is said by `refusals` in the server half.
   */
  policies?: readonly Policy<Key<F>, NoInfer<Right> | StandardAction, NoInfer<TransitionName | Logged>>[]
  /** What calls of its own do, by the names under which they log it. */
  logged?: readonly Named<Logged>[]
  /** Which column a staff member's data scope narrows: a column, or references one behind the other and a column at their end. */
  scope?: Partial<Record<ScopeKind, ScopePath<F>>>
  /** Who is responsible for a record, beside those whose data scope it lies in: a reference, and a column behind it that holds a staff id. */
  responsible?: readonly `${ReferenceKey<F>}.${string}`[]
  /** Kinds of data scope that its references lead to and that do not narrow it all the same, each with a sentence why. */
  unscoped?: Partial<Record<ScopeKind, string>>
  /** Composite indexes beside those that follow from the fields; one that begins with a reference and the id takes the place of the reference's own. */
  indexes?: readonly (readonly string[])[]
  /**
   * Indexes hold living records alone, and of references those that name something, where every statement asks for those:
   * the filters of a long list are then counted in the index without a look at the records, and a new record that names
   * little is quickly written.
   */
  indexesLiving?: true
  /** Fields by which a long list is narrowed before words are looked for in it: the index of words knows their values too. */
  searchedWithin?: readonly Key<F>[]
  /**
   * How pickers outside of forms narrow it, no matter who uses them, and the values of records that new ones may name (`offered=1`).
   * What a reference's `within` says need not be repeated.
   */
  pick?: { readonly within?: readonly Key<F>[]; readonly offered?: ValuesOf<NoInfer<F>> }
  /** Groups of fields that are unique together among living records. */
  unique?: readonly (readonly Key<F>[])[]
  /** Values that every record of this resource has: two resources share one table. */
  where?: ValuesOf<NoInfer<F>>
  /** Its records are those of other resources of its table, seen otherwise: those speak for them where uses are counted. */
  isView?: true
  /** Records hang below one another; the fields for it come from `treeFields` (core/tree/fields.ts). */
  tree?: TreeSpec<F>
  /**
   * The moment by whose month records are kept apart: a table that grows by the hundred thousand. Months are partitions of the
   * database; what is unique holds the moment too, and a list is quick where it is narrowed by it.
   */
  monthly?: Key<F> | 'created_at'
  /** Changes are not logged: records that are themselves a log, or come by the hundred thousand. */
  audit?: false
  /** Values that weigh so much that a person who sets one proves afresh who they are: by itself, in bulk or by a sheet. */
  fresh?: { readonly [K in keyof ValuesOf<NoInfer<F>>]?: readonly NonNullable<ValuesOf<NoInfer<F>>[K]>[] }
  /** What cannot be done with it. */
  without?: readonly ('create' | 'update' | StandardAction)[]
}

/** A resource with its types flattened: many of them type-check fast, and messages stay readable. */
export interface Resource<Row extends RecordMeta = RecordMeta & Record<string, unknown>, Input = Record<string, unknown>, S extends Shape = Shape> {
  readonly name: string
  readonly table: string
  readonly label: string
  readonly measure: string
  readonly title: string
  readonly grant: number
  readonly rights: Rights<S['right']>
  readonly api: Api
  readonly optionsPath: string
  readonly fields: Readonly<Record<string, AnyField>>
  readonly list: { columns: readonly string[]; under: readonly string[]; filters: readonly string[]; sort: string; summary: readonly string[] }
  readonly form: readonly FormSection<Record<string, unknown>>[]
  readonly import: { columns: readonly string[]; key: readonly string[] } | undefined
  readonly transitions: readonly Transition[]
  readonly policies: readonly Policy[]
  readonly logged: readonly Named[]
  readonly scope: Readonly<Partial<Record<ScopeKind, string>>>
  readonly unscoped: Readonly<Partial<Record<ScopeKind, string>>>
  readonly responsible: readonly string[]
  /** What names a record is the name of somebody who learns. */
  readonly masksTitle: boolean
  readonly isView: boolean
  readonly indexes: readonly (readonly string[])[]
  readonly indexesLiving: boolean
  readonly searchedWithin: readonly string[]
  readonly pick: { readonly within: readonly string[]; readonly offered: Readonly<Record<string, string | number>> | undefined }
  readonly unique: readonly (readonly string[])[]
  readonly where: Readonly<Record<string, string | number>>
  readonly tree: Tree | undefined
  readonly monthly: string | undefined
  readonly audit: boolean
  readonly fresh: Readonly<Record<string, readonly (string | number)[]>>
  /** Ids of what can be done with it; an action that is absent cannot be done. */
  readonly actions: Readonly<Partial<Record<'create' | 'update' | StandardAction, number>>>
  /** Types only. */
  readonly types?: { row: Row; input: Input; shape: S }
}

/** A resource that has these fields, and others that only its data know: one of a family that is made from rows. */
export type OpenResource<F extends Fields> = Resource<Flat<RowOf<F>> & Record<string, unknown>, Record<string, unknown>, OpenShape<F>>

export type RowType<R> = R extends Resource<infer Row, infer _Input, infer _S> ? Row : never

/**
 * Declares a resource: data only, no component, no handler, no condition.
 * @example
 * export const partner = defineResource({ name: 'partner', label: '合伙人', grant: 1301, api: …, fields: …, list: … })
 */
export function defineResource<const F extends Fields, Right extends string = never, TransitionName extends string = never, Logged extends string = never>(
  spec: ResourceSpec<F, Right, TransitionName, Logged>,
): Resource<Flat<RowOf<F>>, Flat<InputOf<F>>, ShapeOf<F, Right, TransitionName, Logged>> {
  const fields = lookUpFields(spec.name, spec.fields)
  const without = new Set(spec.without)
  const writable = Object.keys(fields).filter((key) => !fields[key]?.readonly && fields[key]?.column)
  const actions: Partial<Record<'create' | 'update' | StandardAction, number>> = {}
  const offer = (name: 'create' | 'update' | StandardAction, id: number, possible = true) => {
    if (possible && !without.has(name)) actions[name] = id
  }
  const editId = standardId(spec.grant, 'edit')
  offer('create', editId, !without.has('edit'))
  offer('update', editId, !without.has('edit'))
  offer('edit', editId)
  offer('remove', standardId(spec.grant, 'remove'))
  offer('import', standardId(spec.grant, 'import'), spec.import !== undefined)
  offer('export', standardId(spec.grant, 'export'))
  offer('reveal', standardId(spec.grant, 'reveal'), Object.values(fields).some((field) => field.hidden))
  const transitions = (spec.transitions ?? []) as readonly Transition[]
  checkShelves(spec.name, fields, transitions)
  checkMonthly(spec.name, fields, spec.monthly, [...Object.keys(fields).filter((key) => fields[key]?.unique).map((key) => [key]), ...(spec.unique ?? [])])
  const rights: Rights = spec.rights ?? defineRights(spec.grant, {})
  if (rights.screen !== spec.grant) throw new Error(`${spec.name} stands on screen ${spec.grant} and names rights of screen ${rights.screen}`)
  for (const { right } of transitions) if (right !== undefined) rights.id(right as StandardAction)
  const policies = (spec.policies ?? []) as readonly Policy[]
  const known = new Set(['restore', ...Object.keys(actions), ...transitions.map((transition) => transition.name), ...(spec.logged ?? []).map((one) => one.name)])
  checkPolicies({ name: spec.name, policies, rights }, known, new Set(['created_by', ...Object.keys(fields).filter((key) => fields[key]?.column)]))
  return {
    name: spec.name,
    table: spec.table ?? spec.name,
    label: spec.label,
    measure: spec.measure ?? '个',
    title: spec.title ?? 'name',
    grant: spec.grant,
    rights,
    api: spec.api,
    optionsPath: `${spec.api.list}/options`,
    fields,
    list: { columns: spec.list.columns, under: spec.list.under ?? [], filters: spec.list.filters, sort: spec.list.sort ?? '-id', summary: spec.list.summary ?? [] },
    form: (spec.form as readonly FormSection<Record<string, unknown>>[] | undefined) ?? [{ fields: writable }],
    import: spec.import,
    transitions,
    policies,
    logged: spec.logged ?? [],
    scope: spec.scope ?? {},
    unscoped: spec.unscoped ?? {},
    responsible: spec.responsible ?? [],
    masksTitle: fields[spec.title ?? 'name']?.hidden?.from === 'strangers',
    isView: spec.isView ?? false,
    indexes: spec.indexes ?? [],
    indexesLiving: spec.indexesLiving ?? false,
    searchedWithin: spec.searchedWithin ?? [],
    pick: { within: spec.pick?.within ?? [], offered: spec.pick?.offered as Record<string, string | number> | undefined },
    unique: spec.unique ?? [],
    where: (spec.where ?? {}) as Record<string, string | number>,
    tree: spec.tree && treeOf(spec.name, fields, spec.tree, spec.import !== undefined),
    monthly: spec.monthly,
    audit: spec.audit ?? true,
    fresh: (spec.fresh ?? {}) as Record<string, readonly (string | number)[]>,
    actions,
  }
}

/** Whether values set something that weighs so much that it takes a fresh proof of who does it. */
export function weighs({ fresh }: Pick<Resource, 'fresh'>, values: Readonly<Record<string, unknown>> = {}): boolean {
  return Object.entries(fresh).some(([key, heavy]) => heavy.some((value) => value === values[key]))
}

/** @throws Error when the definition has not what a tree needs, or says what a tree cannot do */
function treeOf(name: string, fields: Readonly<Record<string, AnyField>>, { levels, rooted = false, namesakes = false, shows = [], facts = [] }: Partial<Pick<Tree, 'rooted' | 'namesakes' | 'shows' | 'facts'>> & Pick<Tree, 'levels'>, imports: boolean): Tree {
  const parent = fields['parent_id']
  if (!parent || !('target' in parent) || parent.filter !== 'subtree' || ['path', 'depth', 'ord'].some((key) => !fields[key]?.column)) throw new Error(`${name} is a tree without the fields of treeFields`)
  if (imports) throw new Error(`${name} is a tree: its sheet has a column for each level, and needs no import of its own`)
  return { levels, rooted, namesakes, shows, facts, group: Object.keys(parent.within), merges: 'merged_into' in fields }
}

/** A switch of states has an edge each way, which asks for nothing that a switch cannot say. */
function checkShelves(name: string, fields: Readonly<Record<string, AnyField>>, transitions: readonly Transition[]): void {
  for (const [key, field] of shelves({ fields })) {
    for (const value of [1, 0] as const) {
      const edge = shelfEdge({ transitions }, field, value)
      if (!edge) throw new Error(`${name}.${key} is a switch of states without an edge to ${value}`)
      if (edge.reason) throw new Error(`${name}.${key} runs ${edge.name}, which asks for a reason`)
    }
  }
}

/** Months are told apart by a moment that every record has and keeps, and that is part of what is unique. */
function checkMonthly(name: string, fields: Readonly<Record<string, AnyField>>, monthly: string | undefined, unique: readonly (readonly string[])[]): void {
  if (monthly === undefined) return
  const field = fields[monthly]
  if (monthly !== 'created_at' && !(field?.column === 'timestamptz' && field.required && (field.createOnly || field.readonly))) throw new Error(`${name} is kept by the month of ${monthly}, which is no moment that every record has and keeps`)
  const loose = unique.find((keys) => !keys.includes(monthly))
  if (loose) throw new Error(`${name} is kept by month: what is unique has to hold ${monthly}, and ${loose.join(', ')} does not`)
}

/** Id that a transition asks for. */
export function transitionGrant(resource: Resource, transition: Transition): number {
  return resource.rights.id(transition.right ?? 'edit')
}

