import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useRef, useState } from 'react'
import { request } from '../../core/endpoint/call.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { appUser } from './user.ts'

const OFFERED = 20
/** Somebody who stops typing for so long wants to see what is found, in milliseconds. */
const PAUSE = 300

interface Props {
  id: string
  /** The account that is not offered. */
  except: number
  onChange: (id: number | null) => void
}

/** Finds an account by number, name, school or whole mobile number; nicknames alone would not tell people apart. */
export function AccountPicker({ id, except, onChange }: Props) {
  const [keyword, setKeyword] = useState('')
  const timer = useRef(0)
  const search = (text: string) => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setKeyword(text.trim()), PAUSE)
  }
  const { data, isFetching } = useQuery({
    queryKey: ['list', appUser.name, { keyword, page_size: OFFERED, for: 'merge' }],
    queryFn: ({ signal }) => request<{ items: WireRow<typeof appUser>[] }>('GET', appUser.api.list, { keyword, page_size: OFFERED }, { signal }),
    enabled: keyword !== '',
  })
  const options = (data?.items ?? []).filter((row) => row.id !== except).map((row) => ({
    value: row.id,
    label: [row.nickname, row.real_name, row.user_no, row.mobile, row.school].filter(Boolean).map(String).join(' · '),
  }))
  return (
    <Select<number> id={id} className="wide" options={options} loading={isFetching} allowClear showSearch={{ filterOption: false, onSearch: search }}
      placeholder="输入用户编号、昵称、姓名、学校或完整手机号" notFoundContent={keyword === '' ? '请输入关键词' : isFetching ? '加载中…' : '没有匹配的用户'}
      onChange={(next?: number) => onChange(next ?? null)} />
  )
}
