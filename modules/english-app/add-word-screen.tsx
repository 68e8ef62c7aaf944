import { Empty, Segmented } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { Picker } from '../../core/field/reference.tsx'
import { RecordForm } from '../../core/record/record-form.tsx'
import { englishTextbook } from './line.ts'
import { englishUnit } from './unit.ts'
import { WordGrid } from './word-grid.tsx'
import wordView from './word-view.tsx'
import { englishWord } from './word.ts'
import './english.css'

const LAST = 'english words'

interface Place { textbook_id: number | undefined; unit_id: number | undefined }

const lastPlace = (): Place => {
  const [textbook, unit] = (sessionStorage.getItem(LAST) ?? '').split(' ').map(Number)
  return { textbook_id: textbook || undefined, unit_id: unit || undefined }
}

/** 添加单词: those of a unit in a table, or one with everything that belongs to it. The address names the unit; from the menu the last one comes back. */
export default function AddWordScreen() {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const [way, setWay] = useState<'table' | 'one'>('table')
  const [saved, setSaved] = useState<number>()
  const [last] = useState(lastPlace)
  const asked: Place = { textbook_id: Number(search.get('textbook_id')) || undefined, unit_id: Number(search.get('unit_id')) || undefined }
  const place = asked.textbook_id === undefined ? last : asked
  const put = ({ textbook_id, unit_id }: Place) => {
    sessionStorage.setItem(LAST, `${textbook_id ?? ''} ${unit_id ?? ''}`)
    setSaved(undefined)
    setSearch({ ...(textbook_id !== undefined && { textbook_id: String(textbook_id) }), ...(unit_id !== undefined && { unit_id: String(unit_id) }) })
  }
  const words = `/englishApp/detail?show=word&unit_id=${place.unit_id ?? ''}`
  return (
    <div className="words-page">
      <div className="words-bar">
        <Picker target={englishTextbook} id={undefined} label="教材" value={place.textbook_id} onChange={(next) => put({ textbook_id: next ?? undefined, unit_id: undefined })} />
        <Picker target={englishUnit} id={undefined} label="单元" narrow={{ textbook_id: place.textbook_id }} disabled={place.textbook_id === undefined} value={place.unit_id} onChange={(next) => put({ ...place, unit_id: next ?? undefined })} />
        <Segmented aria-label="录入方式" value={way} onChange={setWay} options={[{ value: 'table', label: '表格录入' }, { value: 'one', label: '单个录入' }]} />
        {place.unit_id !== undefined && <Link to={words}>{saved === undefined ? '本单元的单词' : `查看刚录入的 ${saved} 个单词`}</Link>}
      </div>
      {place.textbook_id === undefined || place.unit_id === undefined ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="先选择教材和单元，再录入单词" />
        : way === 'table' ? <WordGrid key={place.unit_id} unitId={place.unit_id} onSaved={setSaved} />
          : <RecordForm key={place.unit_id} inPlace resource={englishWord} presentation={wordView} start={{ textbook_id: place.textbook_id, unit_id: place.unit_id }} onClose={() => void navigate(words)} onSaved={() => setSaved((saved ?? 0) + 1)} />}
    </div>
  )
}
