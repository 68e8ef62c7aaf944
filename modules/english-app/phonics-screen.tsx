import { useQuery } from '@tanstack/react-query'
import { Alert, Skeleton } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { OutlineEditor } from '../outline/door.tsx'
import { openPhonics } from './phonics.ts'
import './english.css'

/** 音标目录: units, lessons, phonograms with their exercises. */
export default function PhonicsScreen() {
  const { data, error } = useQuery({ queryKey: ['english phonics'], queryFn: ({ signal }) => call(openPhonics, undefined, { signal, quiet: true }) })
  if (error) return <Alert type="warning" showIcon title={error.message} />
  return <div className="words-page">{data ? <OutlineEditor outlineId={data.outline_id} /> : <Skeleton active paragraph={{ rows: 12 }} />}</div>
}
