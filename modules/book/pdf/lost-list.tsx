import { Button, Space, Tag } from 'antd'
import { LAYERS } from '../hotspot.ts'
import type { Compared } from './calls.ts'
import type { Lost } from './carry.ts'

interface Props {
  readonly lost: readonly Lost[]
  readonly data: Compared
  /** Page on which a place can be put. */
  readonly page: number | undefined
  readonly editable: boolean
  readonly onDecide: (keys: readonly string[], to?: number) => void
}

/** Places of pages before that were not found again: each is put onto a page or given up. */
export function LostList({ lost, data, page, editable, onDecide }: Props) {
  const open = lost.filter(({ done }) => done === null)
  return (
    <section className="compare-lost" aria-label="没有对上的热区">
      <div className="pages-line">
        <b>没有对上的热区（{open.length} / {lost.length}）</b>
        {editable && open.length > 1 && <Button size="small" onClick={() => onDecide(open.map(({ spot }) => spot.key))}>全部不再需要</Button>}
      </div>
      <ul>
        {lost.map(({ spot, from_page, done }) => (
          <li key={`${from_page} ${spot.key}`}>
            <span>原第 {from_page} 页 · {LAYERS.find(({ value }) => value === spot.layer)?.label}{spot.no !== '' && ` ${spot.no}`} · {spot.ref_id === null ? '未绑定' : data.targets.find(({ kind, id }) => kind === spot.kind && id === spot.ref_id)?.name ?? '已被删除'}</span>
            {done !== null ? <Tag>{done === 1 ? '已放到新页面' : '不再需要'}</Tag> : editable && (
              <Space size={4}>{page !== undefined && <Button size="small" onClick={() => onDecide([spot.key], page)}>放到第 {page} 页</Button>}<Button size="small" onClick={() => onDecide([spot.key])}>不再需要</Button></Space>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
