import {
  BankOutlined, BookOutlined, CalendarOutlined, CarryOutOutlined, ClockCircleOutlined, CommentOutlined, ContainerOutlined, CrownOutlined, CustomerServiceOutlined,
  DatabaseOutlined, FileTextOutlined, FlagOutlined, FontSizeOutlined, FundProjectionScreenOutlined, HistoryOutlined, HomeOutlined, IdcardOutlined, InboxOutlined, LineChartOutlined, PictureOutlined,
  PlaySquareOutlined, ReadOutlined, RiseOutlined, RocketOutlined, SettingOutlined, ShareAltOutlined, ShopOutlined, StarOutlined, TeamOutlined, ThunderboltOutlined, ToolOutlined, TrophyOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

/** Pictures of the menu by the names that routes give them. */
const icons: Readonly<Record<string, ComponentType>> = {
  home: HomeOutlined, inbox: InboxOutlined, jobs: CarryOutOutlined, star: StarOutlined, recent: ClockCircleOutlined,
  team: TeamOutlined, video: PlaySquareOutlined, calendar: CalendarOutlined, letters: FontSizeOutlined, board: FundProjectionScreenOutlined, 'book-open': ReadOutlined, book: BookOutlined,
  flag: FlagOutlined, rise: RiseOutlined, rocket: RocketOutlined, history: HistoryOutlined, trophy: TrophyOutlined, shop: ShopOutlined, bank: BankOutlined, container: ContainerOutlined,
  database: DatabaseOutlined, headset: CustomerServiceOutlined, crown: CrownOutlined, chart: LineChartOutlined, 'id-card': IdcardOutlined, comment: CommentOutlined, 'file-text': FileTextOutlined,
  picture: PictureOutlined, share: ShareAltOutlined, bolt: ThunderboltOutlined, tool: ToolOutlined, setting: SettingOutlined,
}

/** The picture of an item; one without shows letters of its title. */
export function MenuIcon({ name, letters }: { name: string | undefined; letters: string }) {
  const Icon = icons[name ?? '']
  return <span className="menu-icon" data-letters={!Icon} aria-hidden>{Icon ? <Icon /> : letters}</span>
}
