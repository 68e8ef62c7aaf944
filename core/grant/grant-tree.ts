/** A screen, or an action on one, that can be granted. */
export interface GrantNode {
  id: number
  title: string
  /** Actions below a screen. */
  children?: GrantNode[]
}

/** Screens of one group of the menu. */
export interface GrantGroup {
  title: string
  screens: GrantNode[]
}
