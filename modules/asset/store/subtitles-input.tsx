import { DeleteOutlined, UploadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Select, Space, Upload } from 'antd'
import { useState } from 'react'
import type { InputProps } from '../../../core/resource/present.tsx'
import { useResumableUpload } from '../../../core/upload/use-resumable-upload.tsx'
import { decodeSubtitle, LANGUAGES, readSubtitle, subtitleProblems, type Subtitle } from '../subtitle.ts'

/** Lines of a subtitle that a person should look at. */
function Problems({ url, length }: { url: string; length: number | undefined }) {
  const { data = [] } = useQuery({
    queryKey: ['subtitle-problems', url, length],
    queryFn: async ({ signal }) => {
      const lines = readSubtitle(decodeSubtitle(new Uint8Array(await (await fetch(url, { signal })).arrayBuffer())))
      return lines.length === 0 ? [{ line: 0, words: '没有读到字幕' }] : subtitleProblems(lines, length)
    },
  })
  if (data.length === 0) return null
  return <ul className="subtitle-problems" aria-label="字幕问题">{data.map(({ line, words }) => <li key={line}>{line > 0 && `第 ${line} 行：`}{words}</li>)}</ul>
}

/** One subtitle file for each language, with what is wrong in it. */
export function SubtitlesInput({ value, onChange, values, id }: InputProps<Subtitle[] | null, { readonly seconds?: number | null }>) {
  const list = value ?? []
  const free = LANGUAGES.filter(({ value: lang }) => !list.some((one) => one.lang === lang))
  const [chosen, setChosen] = useState<string>()
  const lang = free.find((one) => one.value === chosen)?.value ?? free[0]?.value
  const { running, problem, start } = useResumableUpload(['subtitle'], (url) => { if (lang !== undefined) onChange?.([...list, { lang, url }]) })
  const length = values.seconds ?? undefined
  return (
    <div id={id} role="group" aria-label="字幕">
      {list.map((one) => (
        <div key={one.lang}>
          <Space>{LANGUAGES.find((language) => language.value === one.lang)?.label ?? one.lang}<a href={one.url} target="_blank" rel="noopener noreferrer">查看</a><Button size="small" type="text" icon={<DeleteOutlined />} aria-label="移除字幕" onClick={() => onChange?.(list.filter((other) => other !== one))} /></Space>
          <Problems url={one.url} length={length} />
        </div>
      ))}
      {lang !== undefined && (
        <Space>
          <Select size="small" aria-label="字幕语言" value={lang} options={[...free]} onChange={setChosen} />
          <Upload accept=".srt,.vtt" showUploadList={false} beforeUpload={(file) => { void start(file); return false }}><Button size="small" icon={<UploadOutlined />} loading={running !== undefined}>上传字幕</Button></Upload>
          <span className="note">srt 或 vtt</span>
        </Space>
      )}
      {problem && <p className="problem" role="alert">{problem}</p>}
    </div>
  )
}
