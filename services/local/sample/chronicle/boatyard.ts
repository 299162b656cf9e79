/** The boatbuilder at the slip, who writes in English and Portuguese. */
export const boatyard = `
[06-25 5y 18:30] InesMarulho: Cheguei para um verão e o estaleiro precisava de mãos. Já lá vão uns anos. As mãos ficaram. ⚓

[09-05 5y 10:10] InesMarulho @slip: New keel laid. Eight metres of oak that was a tree when the lighthouse was a drawing. #madeira {photo keel-laid 1600x1067}
  [+32m] lighthouse: We remember being a drawing. We had more windows.

[01-24 4y 12:35] InesMarulho: Chove na oficina, chove na rua. Dentro chove com mais ritmo.
  [+41m] HarbourBand: What time signature?
    [+6m] InesMarulho: Seis por oito, with a leak on the four.

[06-13 4y 20:05] InesMarulho: Sardinhas na brasa, manjericão na janela, saudades no sítio do costume. Who is hungry? Bring a chair. 🐟
  [+9m] dougal_nets: On my way. Bringing the sardines, which I gather are mackerel.
  [+15m] TavernaEleni: Φέρνω λεμόνια. Και τραπέζι. Και μετά βλέπουμε.
  [+1h] mizuho_utsuwa: お皿を持っていきます。割れても大丈夫なのを。

[10-10 3y 15:50] InesMarulho @slip ×33: Launched! She is called Boa Vizinha, she floats on her lines, and the bottle broke on the first try. {photo boa-vizinha 2048x1365}
  [+7m] HarbourOffice: Handsome boat. Berth 14?
    [+3m] InesMarulho: Beside the man who does not snore? Yes, please.
  [+26m] MissQuill: "Good Neighbour". One could do worse for a name, or for a neighbour.

[03-22 2y 08:55] InesMarulho: Apprentice asked how long it takes to learn this. I told her what my teacher told me: the first forty years are the worst. She has bought a better apron.

[08-30 2y 19:20] InesMarulho: Copper nails: 2,140. Thumbs hit: one, twice. 👍🏼

[Wed 46w 17:45] InesMarulho: Um senhor passou e disse que já não se fazem barcos assim. Eu estava a fazer um.
[Mon 37w 13:20] InesMarulho: The steam box is warm, the planks bend, and four different people have asked if it is a sauna. It is, a little.
[Sat 29w 11:05] InesMarulho: Made a model for Room 4 so that they can see how a hull is built. They have already crewed it. The captain is a hamster. {photo hamster-captain 1200x1200}
  [+17m] meera.teaches: He runs a tight ship. Mostly in circles.
[Thu 19w 16:55] InesMarulho: RT &storm
[Sun 12w 09:40] InesMarulho @strand: Found a plank on the Strand with a stranger's pencil marks on it. Good marks. I am using it. {estaleiro.example/diary}
  [+33m] nour_writes: لعلّه كتب رسالةً بلغة الخشب، وأنتِ أوّل من قرأها.
    [+10m] InesMarulho: É a coisa mais bonita que já disseram de uma tábua.
[Fri 3w 15:35] InesMarulho: Paint colours left after the ferry job: white, more white, and a green that nobody ordered. The shed door is going to be very green.
  [+27m] TavernaEleni: Περίσσεψε λίγο για τις καρέκλες μου; 💚
    [+6m] InesMarulho: For seven tables of chairs? I can paint a town with this.
`;
