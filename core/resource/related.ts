/** Records of one kind that name a record. */
export interface Related {
  /** Name of the resource. */
  name: string
  /** What they are called: 学生, 下级代理. */
  label: string
  /** Id of the screen that lists them. */
  screen: number
  /** Capped at `STATE_CAP`. */
  count: number
  /** Filter of their list that leaves just these; null where it has none. */
  filter: string | null
}

/** One of the records that name a record. */
export interface RelatedRecord {
  id: number
  name: string
}

/** What names a record, kind by kind; with `of` also the newest records of that kind. */
export interface RelatedAnswer {
  items: Related[]
  records: RelatedRecord[]
}
