import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Skeleton } from 'antd'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { OutlineEditor } from '../outline/door.tsx'
import { openOutline } from './calls.ts'
import type { CourseLine } from './course-line.ts'
import './offer.css'

/** The outline of one record, which is made when it is opened for the first time. */
function Outline({ parts, id }: { parts: CourseLine; id: number }) {
  const endpoint = openOutline(parts)
  const { data, error } = useQuery({
    queryKey: ['outline-of', parts.line.code, id], enabled: endpoint !== undefined,
    queryFn: ({ signal }) => (endpoint ? call(endpoint, undefined, { params: { id }, signal, quiet: true }) : Promise.reject(new Error('没有目录'))),
  })
  if (error) return <Alert type="warning" showIcon title={error.message} />
  return data ? <OutlineEditor outlineId={data.outline_id} /> : <Skeleton active paragraph={{ rows: 12 }} />
}

/** 目录: the outline of a textbook or a course that the address names; from the menu the last one comes back. */
export function CatalogScreen({ parts }: { parts: CourseLine }) {
  const { line, textbooks, offers } = parts
  const [search, setSearch] = useSearchParams()
  const [name, label, target] = textbooks ? ['textbook_id', '教材', textbooks] as const : ['offer_id', '课程', offers] as const
  const last = `catalog ${line.code}`
  const asked = Number(search.get(name)) || undefined
  const id = asked ?? (Number(sessionStorage.getItem(last)) || undefined)
  useEffect(() => {
    if (asked !== undefined) sessionStorage.setItem(last, String(asked))
  }, [asked, last])
  return (
    <div className="catalog">
      <div className="catalog-bar"><Picker target={target} id={undefined} label={label} value={id} onChange={(picked) => setSearch(picked === null ? {} : { [name]: String(picked) })} /></div>
      {id === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`选择${label}后编辑目录`} /> : <Outline key={id} parts={parts} id={id} />}
    </div>
  )
}
