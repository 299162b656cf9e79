/** The school, its science teacher, and the one who has retired from it. */
export const lessons = `
[Tue 09-03 7y 08:50] KittiwickSchool: Welcome back, everybody. The coat pegs have new names on them. Some of the coats do, too.

[11-30 6y 12:15] MissQuill: I am told that one begins by saying what one had for lunch. Soup. I do not see how this will develop.
  [+19m] dougal_nets: What kind?
    [+6m] MissQuill: Leek. I begin to see.

[05-08 5y 06:10] MissQuill @marsh: Forty-one dunlin, two spoonbills, and one man with a radio, since departed. {photo dunlin-at-dawn 2048x1152}

[Wed 03-20 4y 10:30] meera.teaches ×5: Rocket day. Highest flight: 61 metres (Aisha, vinegar). Longest flight: still in a tree. 🚀 #room4
  [+26m] lighthouse: It passed our second window. Please tell Aisha that we waved.
    [+18m] meera.teaches: वह पूरे दिन मुस्कुराती रही। Thank you!

[Thu 12-12 4y 13:45] KittiwickSchool: The nativity has two goats this year, since we have two goats. Rehearsals are lively. Tickets are free; please bring your own hay.
  [+6h] dougal_nets: Third shepherd here. I was butted off the stage in act one and got a round of applause.

[Thu 06-27 3y 15:20] meera.teaches ×11: Twenty-two children, one rock pool, four hours. We found 31 species and one left shoe. The shoe had tenants. {photo rock-pool 1600x1200}
  [+33m] MissQuill: I trust nobody evicted them.
    [+9m] meera.teaches: We put it back and drew a small gate.

[10-09 3y 09:55] MissQuill: A pupil of mine has become a grandfather today. I should like it noted that I set him homework.

[Fri 01-30 2y 11:30] KittiwickSchool: Snow day. School is closed, School Brae is open, trays may be borrowed from the canteen and must come back roughly tray-shaped. ❄️
  [+22m] tamsin-bakes: Bakery has thirty more trays. And hot chocolate. And opinions on steering.
  [+2h] KittiwickFC: Our goalkeeper has finally stopped something: a hedge.

[Mon 06-10 2y 18:40] meera.teaches: पाँच साल के बच्चे ने पूछा: "परछाई रात को कहाँ सोती है?" मैंने कहा: "सबसे नीचे, और सबको ओढ़ाकर।" #क्यों
  [+3h] nour_writes: هذا أجمل ما قرأتُ هذا المساء، ولو بالترجمة.

[Mon 09-01 1y 16:00] KittiwickSchool: First day of term. Tears: 3 children, 5 parents, 1 teacher (joy). Goats: calm.

[12-02 1y 19:15] MissQuill: A correction to the parish newsletter. I did not "pass away peacefully", I "passed the tray peacefully". I have had eleven cards, all very kind.
  [+13m] harbour.bakery: We'd already started a cake. You may as well have it.
  [+24m] HarbourBand: We had learned the slow march. We could play it faster?
    [+10m] MissQuill: Faster, please, and by the window.

[Mon 45w 16:30] KittiwickSchool: The metal detector club has found the metal detector.
[Thu 42w 17:50] meera.teaches: Asked for an example of a slow chemical reaction. Answer: "My brother and the dishes." Full marks, and my sympathy. 🧪
[Sat 38w 07:40] MissQuill @marsh: A curlew answered a boy who whistled, and the boy has not stopped smiling. I was not smiling either, it was the cold.
[Tue 32w 10:10] KittiwickSchool: Book Week: come as a character. We have nineteen pirates, eleven witches, one semicolon. 🏴‍☠️
  [+27m] MissQuill: Who is the semicolon?
    [+14m] KittiwickSchool: Year 5, quiet, third row; you would like her.
      [+2m] MissQuill: I already do; very much.
[Wed 24w 14:55] meera.teaches: We weighed the school's air. It is heavier than the goats and smells better. Room 4 wants it known that they did the sums themselves.
[Sun 20w 09:05] MissQuill: "Less" for what you pour, "fewer" for what you count. Rain remains undecided. {notes.quill.example/less-and-fewer}
  [+46m] lighthouse: We measure it in millimetres. There have not been fewer of them lately.
[Fri 13w 15:10] KittiwickSchool: Year 1 has written to the sea. We have taken the letters down to the Strand and read them out. It answered in its usual way. {photo letters-to-the-sea 1600x1067}
  [+31m] HarbourOffice: We log all calls. Noted: 14 letters, 1 very polite request for a whale.
    [+1h] MVSanderling: We'll see what we can do.
[Tue 10w 18:20] meera.teaches: A moth the size of a hand sat on the projector through the whole lesson on insects. I could not have arranged it. She has been given an A. 🦋
[Thu 7w 12:05] MissQuill: The chalk corrector of the quay has struck again: "Fresh Crabs" has gained a comma and lost its meaning. This one is a beginner.
  [+17m] dougal_nets: Fresh, Crabs. Sounds like a telling-off.
[Mon 3w 09:25] KittiwickSchool: Music lessons start again. We apologise to the street and ask for eight weeks. {school.kittiwick.example/music}
  [+20m] HarbourBand: We asked for eight weeks in 1988. Persevere!
[Sat 2w 08:15] MissQuill @marsh: Godwits on the ebb, a hundred or so, all facing the same way like a good assembly. {photo godwits 2048x1152}
[Thu 1w 16:45] meera.teaches: RT &seal
`;
